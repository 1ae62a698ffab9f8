import { day } from '@app/contract/durations';
import { toIso } from '../clock.ts';

/** In milliseconds from the start of the day on which a file was moved, for 30 whole days. */
export const maxTrashTime = 31 * day;

/** Name of the folder in the trash, on a disk or in a bucket. @param now milliseconds since 1970 */
export const trashDayOf = (now: number): string => toIso(now).slice(0, 10);

/** Whether files have been in the trash for 30 whole days. */
export const isTrashDayOver = (date: string, now: number): boolean =>
  Date.parse(date) + maxTrashTime <= now;
