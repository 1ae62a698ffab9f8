import { diffHtml } from './diff-html.ts';

/** Runs in the thread of compare-thread.ts. */
export default (pairs: readonly (readonly [before: string, after: string])[]): string[] =>
  pairs.map(([before, after]) => diffHtml(before, after));
