import { day } from '@app/contract/durations';
import { toIso } from '../../clock.ts';

const trashDays = 30;

/** The folder in the trash. @param now in milliseconds, here and below */
export const trashDayOf = (now: number): string => toIso(now).slice(0, 10);

/** Whether files have been in the trash for 30 whole days. */
export const isTrashDayOver = (date: string, now: number): boolean =>
  Date.parse(date) + (trashDays + 1) * day <= now;
