/** Part of the script in the head: loads the reporter with the first error. */
import { reporterPath } from './reporter-path.ts';

for (const type of ['error', 'unhandledrejection', 'securitypolicyviolation']) {
  addEventListener(type, (event) =>
    import(reporterPath).then(
      ({ report }) => report(event),
      // A rejection would be the next error.
      () => 0,
    ),
  );
}
