import { execFileSync } from 'node:child_process';
import { TomlDate } from 'smol-toml';
import { expect, test } from 'vitest';
import { timeOf } from './dates.ts';

const day = '2022-07-08T00:00:00Z';
const morning = '2022-07-08T10:00:00Z';

const readable: [unknown, string][] = [
  ['2022-07-08', day],
  ['2022-7-8', day],
  ['2022/07/08', day],
  ['2022/7/8 10:00', morning],
  ['2022.07.08', day],
  ['20220708', day],
  [20_220_708, day],
  ['20220708T100000Z', morning],
  ['2022-07-08T10:00', morning],
  ['2022-07-08T10:00:00', morning],
  ['2022-07-08t10:00:00z', morning],
  ['2022-07-08 10:00:00', morning],
  ['2022-07-08T10:00:00.123456Z', '2022-07-08T10:00:00.123Z'],
  ['2022-07-08 10:00:00 -0500', '2022-07-08T15:00:00Z'],
  ['2022-07-08 10:00:00 -05:00', '2022-07-08T15:00:00Z'],
  ['2022-07-08T10:00:00+0200', '2022-07-08T08:00:00Z'],
  ['2022-07-08T10:00:00+02', '2022-07-08T08:00:00Z'],
  ['2022-07-08 10:00:00 +0200 CEST', '2022-07-08T08:00:00Z'],
  ['2022-07-08 10:00:00 UTC', morning],
  ['2022-07-08 10:00 PM', '2022-07-08T22:00:00Z'],
  ['Jul 08 2022', day],
  ['Jul 8, 2022', day],
  ['July 8, 2022', day],
  ['july 8th, 2022', day],
  ['July 8, 2022 at 10:00 am', morning],
  ['8 July 2022', day],
  ['8th of July 2022', day],
  ['08-Jul-2022', day],
  ['8. July 2022', day],
  ['2022 July 8', day],
  ['Sept. 8, 2022', '2022-09-08T00:00:00Z'],
  ['Friday, July 8, 2022', day],
  ['Fri, 08 Jul 2022 10:00:00 +0000', morning],
  ['Fri, 08 Jul 2022 10:00:00 GMT', morning],
  ['Fri, 8 Jul 2022 10:00 EST', '2022-07-08T15:00:00Z'],
  ['Fri Jul 08 2022 10:00:00 GMT+0200 (Central European Summer Time)', '2022-07-08T08:00:00Z'],
  ['Fri Jul  8 10:00:00 UTC 2022', morning],
  [' 2022-07-08\t', day],
  [new Date(morning), morning],
  [new TomlDate('2022-07-08'), day],
  [new TomlDate('2022-07-08T10:00:00'), morning],
  [new TomlDate('2022-07-08T10:00:00-05:00'), '2022-07-08T15:00:00Z'],
];

test.each(readable)('reads %s', (value, expected) => {
  expect(timeOf(value)).toBe(Date.parse(expected));
});

test.each([
  ...['', 'today', 'Last Modified', '07/08/2022', '13/08/2022', '7-8-2022', '07.08.2022'],
  ...[
    '8/7/22',
    '2022',
    '2022-07',
    'July 2022',
    'Jul 8',
    '2022-02-30',
    '2022-13-01',
    '31 June 2022',
  ],
  ...['2022-07-08 25:00', '2022-07-08 10:60', '2022-07-08 13:00 PM', '2022-07-08 10:00 IST'],
  ...['2022-07-08 10:00 Europe/Berlin', '2022-07-08T10:00:00+99:00', '2022-07-08 or later'],
  ...[
    '8 juillet 2022',
    'Julember 8, 2022',
    'Post 8, 2022',
    '1969-12-31',
    '10000-01-01',
    '{{ .Date }}',
  ],
  ...[1_657_270_800, true, null, undefined, {}, [], new Date(Number.NaN), new TomlDate('10:00:00')],
])('does not guess what %s means', (value) => {
  expect(timeOf(value)).toBeNull();
});

test('a time does not depend on the time zone of the computer', () => {
  const texts = readable.map(([value]) => value).filter((value) => typeof value === 'string');
  const program = `import('${import.meta.resolve('./dates.ts')}').then(({ timeOf }) =>
    console.log(JSON.stringify(${JSON.stringify(texts)}.map((text) => timeOf(text)))))`;
  const inZone = (TZ: string) =>
    JSON.parse(execFileSync(process.execPath, ['-e', program], { env: { TZ }, encoding: 'utf8' }));
  expect(inZone('America/New_York')).toEqual(texts.map((text) => timeOf(text)));
  expect(inZone('Asia/Kolkata')).toEqual(texts.map((text) => timeOf(text)));
});
