import { diffHtml } from './diff-html.ts';

/** Runs in a worker thread of page.ts, because long texts with many changes take 100 ms. */
export default (pairs: readonly (readonly [before: string, after: string])[]): string[] =>
  pairs.map(([before, after]) => diffHtml(before, after));
