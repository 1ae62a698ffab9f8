import * as v from 'valibot';
import { day } from '../durations.ts';
import { limits } from '../limits.ts';
import { blogMessages } from './messages.ts';

const { schedule } = blogMessages;

/** ISO 8601 with an offset. Only the server can check that it is in the future. */
export const scheduledTime = v.pipe(
  v.string(),
  v.maxLength(limits.name, schedule.invalid),
  v.isoTimestamp(schedule.invalid),
  v.check((time) => !Number.isNaN(Date.parse(time)), schedule.invalid),
  v.description(
    'When the draft will be published, at most 366 days ahead; null unschedules it. Publishing the post also unschedules it.',
  ),
);

/** Null for a valid time. @param at in epoch milliseconds */
export function findScheduleProblem(at: number, now: number): string | null {
  if (at <= now) return schedule.past;
  return at > now + limits.scheduleDays * day ? schedule.tooFar : null;
}

/**
 * Reads the schedule from a form: a local time and its zone. Absent if it is the one that the form
 * was loaded with (`scheduledBefore`), so that a stale form does not undo a later change. An
 * invalid time is returned unchanged, so that the schema rejects it.
 */
export function readSchedule({
  scheduledAt,
  timeZone = 'UTC',
  scheduledBefore = '',
}: {
  scheduledAt: string | undefined;
  timeZone?: string | undefined;
  scheduledBefore?: string | undefined;
}): { scheduledAt?: string | null } {
  if (scheduledAt === undefined) return {};
  const before = Date.parse(scheduledBefore.slice(0, limits.name));
  const shown = Number.isNaN(before) ? '' : localTimeOf(before, timeZone);
  if (scheduledAt === shown) return {};
  if (scheduledAt === '') return { scheduledAt: null };
  const at = timeOfLocal(scheduledAt, timeZone);
  return { scheduledAt: at === null ? scheduledAt : new Date(at).toISOString() };
}

/** The value of `<input type="datetime-local">`: 2027-03-01T09:00. Empty for an unknown zone. */
export function localTimeOf(time: number, timeZone: string): string {
  const offset = offsetOf(timeZone);
  return offset ? new Date(time + offset(time)).toISOString().slice(0, 16) : '';
}

/** The same for an ISO time. Empty for null. */
export const localTextOf = (isoTime: string | null, timeZone: string): string =>
  isoTime === null ? '' : localTimeOf(Date.parse(isoTime), timeZone);

/**
 * Like Temporal's `compatible`: a time that clocks skip is moved forward by the skipped time. Of a
 * time that occurs twice, the first one is returned.
 * @returns epoch milliseconds; null for an invalid time or zone
 */
export function timeOfLocal(localTime: string, timeZone: string): number | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/.test(localTime)) return null;
  const asUtc = Date.parse(`${localTime}Z`);
  // Date.parse reads February 30 as March 2.
  const exists =
    !Number.isNaN(asUtc) && new Date(asUtc).toISOString().startsWith(localTime.slice(0, 16));
  const offset = offsetOf(timeZone);
  if (!exists || !offset) return null;
  // No zone changes its offset twice in two days.
  const before = asUtc - offset(asUtc - day);
  const after = asUtc - offset(asUtc + day);
  const isLocalTime = (time: number) => time + offset(time) === asUtc;
  return [Math.min(before, after), Math.max(before, after)].find(isLocalTime) ?? before;
}

/** Null for an unknown zone. */
function offsetOf(timeZone: string): ((time: number) => number) | null {
  if (timeZone.length > limits.name) return null;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  } catch {
    return null;
  }
  return (time) => {
    const name = format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value;
    // GMT, or with an offset, such as GMT-09:30.
    const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(name ?? '') ?? [];
    const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
    return sign === '-' ? -offset : offset;
  };
}
