/**
 * Parses a time in front matter or an export, such as 2020-01-31, 2020/01/31 10:00 +0200,
 * Jan 31, 2020, or the date of an email (RFC 2822). The same on every computer.
 * Null if the time is invalid, before 1970, or ambiguous, as 01/02/2020 and unknown zones are.
 * @param zone for times without one
 */
export function timeOf(value: unknown, zone = 'UTC'): number | null {
  const time = parse(textOf(value), zone);
  return Number.isFinite(time) && time >= 0 && time < Date.UTC(9999, 0) ? time : null;
}

export const latest = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);

/** Dates of TOML may have no zone, which only their text shows. */
function textOf(value: unknown): string {
  if (!(value instanceof Date)) return String(value ?? '');
  return Number.isNaN(value.getTime()) ? '' : value.toISOString();
}

const months =
  'january february march april may june july august september october november december'.split(
    ' ',
  );
const weekday = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,? /i;

/** What follows the date is the time of day. */
const shapes = [
  /^(?<year>\d{4})([-/.])(?<month>\d{1,2})\2(?<day>\d{1,2})(?!\d)(?<rest>.*)$/,
  /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})(?!\d)(?<rest>.*)$/,
  /^(?<year>\d{4})[- ](?<name>[a-z]{3,9})[- ](?<day>\d{1,2})(?!\d)(?<rest>.*)$/i,
  /^(?<name>[a-z]{3,9})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})(?!\d)(?<rest>.*)$/i,
  /^(?<day>\d{1,2})(?:st|nd|rd|th|\.)?(?: of)?[- ](?<name>[a-z]{3,9})\.?,?[- ](?<year>\d{4})(?!\d)(?<rest>.*)$/i,
  // As `date` prints it: Fri Jan 31 10:00:00 UTC 2020
  /^(?<name>[a-z]{3}) (?<day>\d{1,2}) (?<rest>\d{2}:\d{2}:\d{2}(?: [a-z]{1,4}| [-+]\d{4})?) (?<year>\d{4})$/i,
];

/** Then an offset, or a name, or both, as Ruby, Go and JavaScript print them. */
const timeOfDay =
  /^(?:t|,? at |,? )?(?<hour>\d{1,2}):?(?<minute>\d{2})(?::?(?<second>\d{2})(?:[.,](?<fraction>\d{1,9}))?)? ?(?<half>[ap]\.?m\.?)? ?(?<zone>.*)$/i;
const offset =
  /^(?:utc|gmt)?(?<sign>[-+])(?<hours>\d{1,2}):?(?<minutes>\d{2})?(?: [a-z]{1,5}| \([^()]*\))?$/i;

/** Hours from UTC (RFC 2822 §4.3). Other names are ambiguous. */
const zones: Readonly<Record<string, number>> = {
  ...{ '': 0, z: 0, utc: 0, gmt: 0, ut: 0 },
  ...{ est: -5, edt: -4, cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7 },
};

function parse(given: string, zone: string): number {
  const text = given.trim().replace(/\s+/g, ' ').replace(weekday, '');
  for (const shape of shapes) {
    const parts = shape.exec(text)?.groups;
    if (!parts) continue;
    const { year, month, name = '', day, rest = '' } = parts;
    const date = dateOf(Number(year), Number(month ?? monthOf(name)), Number(day));
    const time = date + timeIn(rest);
    return hasZone(rest) ? time : time - offsetIn(zone, time) * 60_000;
  }
  return Number.NaN;
}

/** From 1; 0 if unknown. */
const monthOf = (name: string): number => {
  const written = name.toLowerCase().replace(/^sept$/, 'sep');
  return 1 + months.findIndex((month) => month === written || month.slice(0, 3) === written);
};

/** NaN for a day that does not exist, such as February 30. */
function dateOf(year: number, month: number, day: number): number {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
    ? date.getTime()
    : Number.NaN;
}

const hasZone = (rest: string): boolean =>
  (timeOfDay.exec(rest)?.groups?.['zone'] ?? rest).replace(/^[t ,]+$/i, '') !== '';

/** A time before it comes everywhere else, for zones with a name that is not known. */
const lastZone = 'Etc/GMT+12';

/**
 * Minutes from UTC.
 * @param zone such as America/New_York
 * @param time as the clocks of the zone show it
 */
function offsetIn(zone: string, time: number): number {
  if (zone === 'UTC' || !Number.isFinite(time)) return 0;
  const format = formatOf(zone) ?? formatOf(lastZone);
  const offsetAt = (at: number): number =>
    zoneOf(format?.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '');
  return offsetAt(time - offsetAt(time) * 60_000);
}

function formatOf(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  } catch {
    return null;
  }
}

/** Milliseconds from the beginning of the day in UTC. */
function timeIn(text: string): number {
  if (text === '' || /^[tz ,]$/i.test(text)) return 0;
  const parts = timeOfDay.exec(text)?.groups;
  const zone = parts ? zoneOf(parts['zone'] ?? '') : zoneOf(text.trim());
  if (!parts) return -zone * 60_000;
  const { minute, second = '0', fraction = '', half = '' } = parts;
  const hour = hourOf(Number(parts['hour']), half.charAt(0).toLowerCase());
  if (Number(minute) > 59 || Number(second) > 59) return Number.NaN;
  const minutes = hour * 60 + Number(minute) - zone;
  return minutes * 60_000 + Number(second) * 1_000 + Number(`${fraction}000`.slice(0, 3));
}

function hourOf(hour: number, half: string): number {
  if (half === '') return hour > 23 ? Number.NaN : hour;
  if (hour < 1 || hour > 12) return Number.NaN;
  return (hour % 12) + (half === 'p' ? 12 : 0);
}

/** Minutes from UTC; NaN if unknown. */
function zoneOf(text: string): number {
  const named = zones[text.toLowerCase()];
  if (named !== undefined) return named * 60;
  const { sign, hours, minutes = '0' } = offset.exec(text)?.groups ?? {};
  if (hours === undefined || Number(hours) > 14 || Number(minutes) > 59) return Number.NaN;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
