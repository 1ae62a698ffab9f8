import { expect, test } from 'vitest';
import { day, hour } from '../durations.ts';
import { findScheduleProblem, localTimeOf, readSchedule, timeOfLocal } from './schedule.ts';

const iso = (local: string, zone: string): string | null => {
  const time = timeOfLocal(local, zone);
  return time === null ? null : new Date(time).toISOString();
};

test.each([
  ['UTC', '2027-03-01T09:00', '2027-03-01T09:00:00.000Z'],
  ['Europe/Berlin', '2027-01-15T09:00', '2027-01-15T08:00:00.000Z'],
  ['Europe/Berlin', '2027-07-15T09:00', '2027-07-15T07:00:00.000Z'],
  ['America/New_York', '2027-07-15T23:30', '2027-07-16T03:30:00.000Z'],
  ['Asia/Kathmandu', '2027-01-01T05:45', '2027-01-01T00:00:00.000Z'],
  ['Pacific/Marquesas', '2027-01-01T09:00', '2027-01-01T18:30:00.000Z'],
  ['+02:00', '2027-01-01T09:00', '2027-01-01T07:00:00.000Z'],
])('converts local time in %s: %s is %s', (zone, local, utc) => {
  expect(iso(local, zone)).toBe(utc);
  expect(localTimeOf(Date.parse(utc), zone)).toBe(local);
});

// In 2027 clocks change on March 28 and October 31 in Berlin (by an hour), on April 4 and October 3
// on Lord Howe Island (by half an hour).
test.each([
  ['Europe/Berlin', '2027-03-28T01:59', '2027-03-28T00:59:00.000Z'],
  ['Europe/Berlin', '2027-03-28T02:30', '2027-03-28T01:30:00.000Z'],
  ['Europe/Berlin', '2027-03-28T03:00', '2027-03-28T01:00:00.000Z'],
  ['America/New_York', '2027-03-14T02:30', '2027-03-14T07:30:00.000Z'],
  ['Australia/Lord_Howe', '2027-10-03T02:15', '2027-10-02T15:45:00.000Z'],
])('when clocks are set forward in %s, converts %s to %s', (zone, local, utc) => {
  expect(iso(local, zone)).toBe(utc);
});

test('moves a local time that does not exist forward by as much as the clocks', () => {
  const time = timeOfLocal('2027-03-28T02:30', 'Europe/Berlin') ?? 0;
  expect(localTimeOf(time, 'Europe/Berlin')).toBe('2027-03-28T03:30');
});

test.each([
  ['Europe/Berlin', '2027-10-31T01:59', '2027-10-30T23:59:00.000Z'],
  ['Europe/Berlin', '2027-10-31T02:30', '2027-10-31T00:30:00.000Z'],
  ['Europe/Berlin', '2027-10-31T03:00', '2027-10-31T02:00:00.000Z'],
  ['America/New_York', '2027-11-07T01:30', '2027-11-07T05:30:00.000Z'],
  ['Australia/Lord_Howe', '2027-04-04T01:45', '2027-04-03T14:45:00.000Z'],
])('when clocks are set back in %s, converts %s to the earlier time, %s', (zone, local, utc) => {
  expect(iso(local, zone)).toBe(utc);
});

test.each([
  ['2027-02-30T09:00', 'UTC'],
  ['2027-13-01T09:00', 'UTC'],
  ['2027-03-01T24:00', 'UTC'],
  ['2027-03-01T09:60', 'UTC'],
  ['2027-03-01', 'UTC'],
  ['tomorrow', 'UTC'],
  ['2027-03-01T09:00', 'Europe/Atlantis'],
  ['2027-03-01T09:00', ''],
  ['2027-03-01T09:00', 'x'.repeat(100_000)],
])('rejects %s in the zone %s', (local, zone) => {
  expect(timeOfLocal(local, zone)).toBeNull();
});

test('converts times of a whole year and back in zones with unusual rules', () => {
  for (const zone of ['Africa/Casablanca', 'America/St_Johns', 'Asia/Gaza', 'Pacific/Apia']) {
    const start = Date.parse('2027-01-01T00:00Z');
    for (let hours = 0; hours < 8_760; hours += 53) {
      const time = start + hours * hour;
      const local = localTimeOf(time, zone);
      const found = timeOfLocal(local, zone) ?? Number.NaN;
      // Of a local time that occurs twice, the first one is found.
      expect(localTimeOf(found, zone)).toBe(local);
      expect(time - found).toBeGreaterThanOrEqual(0);
      expect(time - found).toBeLessThanOrEqual(hour);
    }
  }
});

test('a form changes nothing if it has no schedule or the one that it was loaded with', () => {
  const scheduledBefore = '2027-03-01T08:00:30.000Z';
  expect(readSchedule({ scheduledAt: undefined })).toEqual({});
  expect(readSchedule({ scheduledAt: '' })).toEqual({});
  const unchanged = { scheduledAt: '2027-03-01T09:00', timeZone: 'Europe/Berlin' };
  expect(readSchedule({ ...unchanged, scheduledBefore })).toEqual({});
});

test('a form can schedule, change the time and unschedule', () => {
  const berlin = { scheduledAt: '2027-03-01T09:00', timeZone: 'Europe/Berlin' };
  expect(readSchedule(berlin)).toEqual({ scheduledAt: '2027-03-01T08:00:00.000Z' });
  const scheduledBefore = '2027-03-01T08:00:00.000Z';
  expect(readSchedule({ scheduledAt: '2027-03-01T09:00', scheduledBefore })).toEqual({
    scheduledAt: '2027-03-01T09:00:00.000Z',
  });
  expect(readSchedule({ scheduledAt: '', scheduledBefore })).toEqual({ scheduledAt: null });
  expect(readSchedule({ scheduledAt: 'soon' })).toEqual({ scheduledAt: 'soon' });
});

test('accepts times in the future, up to a year ahead', () => {
  const now = Date.parse('2027-03-01T09:00Z');
  expect(findScheduleProblem(now, now)).toBe('Choose a time in the future.');
  expect(findScheduleProblem(now + 1, now)).toBeNull();
  expect(findScheduleProblem(now + 366 * day, now)).toBeNull();
  expect(findScheduleProblem(now + 366 * day + 1, now)).toBe('Choose a time within a year.');
});
