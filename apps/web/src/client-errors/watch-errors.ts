/** Part of the script in the head: loads the reporter with the first error. */
import { reporterPath } from './reporter-path.ts';

type Reporter = typeof import('./report-errors.ts');

/** One promise: of two imports the second may resolve first, and the later error be reported first. */
let reporter: Promise<Reporter> | undefined;

for (const type of ['error', 'unhandledrejection', 'securitypolicyviolation']) {
  addEventListener(type, (event) => {
    reporter ??= import(reporterPath);
    return reporter.then(
      ({ report }) => report(event),
      // Rejecting would be another error. The next one may find the network again.
      () => {
        reporter = undefined;
      },
    );
  });
}
