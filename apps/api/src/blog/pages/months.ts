import { monthOf } from '@app/contract/blog/posts';

/** In UTC: 2025-03. */
export const monthOfTime = (time: number): string => monthOf(new Date(time).toISOString());

/** From the first millisecond of a month to that of the next one. */
export function rangeOfMonth(month: string): { from: number; to: number } {
  const start = new Date(`${month}-01T00:00:00Z`);
  const to = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1);
  return { from: start.getTime(), to };
}

/**
 * Months with posts, newest first. Jumps from month to month in an index; DISTINCT would read every
 * post.
 * @param newestBefore the time of the newest post before a time
 */
export function monthsWith(newestBefore: (time: number) => number | undefined): string[] {
  const months: string[] = [];
  for (let time = Number.MAX_SAFE_INTEGER; ; ) {
    const at = newestBefore(time);
    if (at === undefined) return months;
    const month = monthOfTime(at);
    months.push(month);
    time = rangeOfMonth(month).from;
  }
}
