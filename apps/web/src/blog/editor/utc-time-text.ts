const format = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/** Nov 22, 2026, 5:46 PM UTC */
export const utcTimeText = (isoTime: string): string => `${format.format(new Date(isoTime))} UTC`;
