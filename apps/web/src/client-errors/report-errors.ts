/*
 * watch-errors.ts loads this at the first event. Reports errors of the site's own scripts and CSP
 * violations, with message and stack, a few times per page view.
 */
import type { ClientError } from '@app/contract/client-errors/client-errors';
import { maxReports, maxText } from '@app/contract/client-errors/limits';

/** Errors need a stack: without it, `isOurs` cannot tell them from those of extensions. */
const contentOf = (event: Event): ClientError => {
  if (event instanceof SecurityPolicyViolationEvent) {
    const { effectiveDirective, blockedURI, sourceFile, documentURI, lineNumber } = event;
    return {
      kind: 'csp',
      message: `${effectiveDirective} ${blockedURI}`,
      stack: `${sourceFile || documentURI}:${lineNumber}`,
    };
  }
  if (event instanceof PromiseRejectionEvent) {
    return { kind: 'error', message: `${event.reason}`, stack: `${event.reason?.stack ?? ''}` };
  }
  const { error, message, filename, lineno } = event as ErrorEvent;
  return { kind: 'error', message, stack: `${error?.stack ?? `${filename}:${lineno}`}` };
};

/** Excludes errors of browser extensions, whose scripts also run in the page. */
const isOurs = (stack: string): boolean =>
  stack.includes(location.origin) && !stack.includes('-extension:');

/** Removes queries, which can contain a token or typed text. */
const cut = (text: string): string => text.replace(/\?[^\s:)]*/g, '').slice(0, maxText);

let reports = 0;

export const report = (event: Event): void => {
  const { kind, message, stack } = contentOf(event);
  if (!isOurs(stack) || reports >= maxReports) return;
  reports += 1;
  const body = JSON.stringify({ kind, message: cut(message), stack: cut(stack) });
  navigator.sendBeacon('/api/client-errors', new Blob([body], { type: 'application/json' }));
};
