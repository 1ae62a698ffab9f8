const longDate = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
const longMonth = new Intl.DateTimeFormat('en-US', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** Such as March 1, 2025 (spec §2). In UTC, so that every reader sees the same day. */
export const dateOf = (isoTime: string): string => longDate.format(new Date(isoTime));

/** Such as March 2025. @param month such as 2025-03 */
export const monthName = (month: string): string =>
  longMonth.format(new Date(`${month}-01T00:00:00Z`));

/** Such as Mar 1, 2025, 9:00 AM, in the browser's time zone. */
export const localTimeText = (isoTime: string): string =>
  new Date(isoTime).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });
