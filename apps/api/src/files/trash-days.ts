import { day } from '@app/contract/durations';
import { toIso } from '../clock.ts';

/** In milliseconds: 30 whole days, whenever in its day a file was moved. */
export const maxTrashTime = 31 * day;

/** The folder in the trash, also in a bucket. @param now in milliseconds, here and below */
export const trashDayOf = (now: number): string => toIso(now).slice(0, 10);

/** Whether files have been in the trash for 30 whole days. */
export const isTrashDayOver = (date: string, now: number): boolean =>
  Date.parse(date) + maxTrashTime <= now;
