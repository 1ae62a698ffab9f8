import { expect, test } from 'vitest';
import { MovingClock } from '../../testing/test-app.ts';
import { createStamps } from './form-tokens.ts';
import { judge } from './spam-signals.ts';

const clock = new MovingClock();
const stamps = createStamps('secret', clock);
const person = { name: 'Vera Visitor', email: 'vera@example.com', message: 'Please call me.' };
const noTraces = { honeypot: '', stamp: '' };

test.each([
  [{ name: 'Vera https://spam.test' }, ['a link in the name']],
  [{ name: 'www.spam.test' }, ['a link in the name']],
  [{ message: 'Buy [url=https://spam.test]here[/url]' }, ['links as BBCode or HTML']],
  [{ message: 'Buy [URL]spam.test[/URL]' }, ['links as BBCode or HTML']],
  [{ message: 'Buy <a class="x" HREF="https://spam.test">here</a>' }, ['links as BBCode or HTML']],
  [{ message: 'https://a.test '.repeat(6) }, ['many links']],
  [
    { name: 'http://a.test', message: '[link=x] www.a.test'.repeat(6) },
    ['a link in the name', 'links as BBCode or HTML', 'many links'],
  ],
])('%j is suspicious', (sent, expected) => {
  expect(judge({ ...person, ...sent }, noTraces, stamps)).toEqual(expected);
});

test.each([
  {},
  { name: 'Dr. A. B. O’Neil-Smith Jr.' },
  { name: 'Wwwendy' },
  { message: 'Our site is https://veras-plumbing.test, can you make it new?' },
  { message: 'https://a.test '.repeat(5) },
  { message: 'if a < b and c > d, which address [sic] do you have?' },
])('%j is not', (sent) => {
  expect(judge({ ...person, ...sent }, noTraces, stamps)).toEqual([]);
});

test('a stamp is good from two seconds on, under the secret it was made with', () => {
  const stamp = stamps.issue();
  expect(stamps.judge(stamp)).toBe('too_fast');
  clock.move(1_999);
  expect(stamps.judge(stamp)).toBe('too_fast');
  clock.move(1);
  expect(stamps.judge(stamp)).toBe('good');
  expect(createStamps('another', clock).judge(stamp)).toBe('forged');
});

test.each(['x', '.', '0.', '0.AAAA', 'NaN.x', '1'.repeat(10_000)])('%j is no stamp', (stamp) => {
  expect(stamps.judge(stamp)).toBe('forged');
});

test('a stamp cannot be made older', () => {
  const [time, signature] = stamps.issue().split('.');
  expect(stamps.judge(`${Number(time) - 60_000}.${signature}`)).toBe('forged');
});
