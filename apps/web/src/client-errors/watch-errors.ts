/** Part of the script in the head. Loads the reporter at the first error. */
import { reporterPath } from './reporter-path.ts';

type Reporter = typeof import('./report-errors.ts');

/**
 * Shared by all events: two separate imports could resolve, and report errors, in reverse order.
 */
let reporter: Promise<Reporter> | undefined;

for (const type of ['error', 'unhandledrejection', 'securitypolicyviolation']) {
  addEventListener(type, (event) => {
    reporter ??= import(reporterPath);
    return reporter.then(
      ({ report }) => report(event),
      // A rejection would be another error. The next error tries to load the reporter again.
      () => {
        reporter = undefined;
      },
    );
  });
}
