const dayMilliseconds = 24 * 60 * 60 * 1_000;

const trashDays = 30;

/** The folder in the trash. @param now in milliseconds, here and below */
export const trashDayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

/** Whether files have been in the trash for 30 whole days. */
export const isTrashDayOver = (day: string, now: number): boolean =>
  Date.parse(day) + (trashDays + 1) * dayMilliseconds <= now;
