import { expect, test } from 'vitest';
import { MovingClock } from '../../testing/test-app.ts';
import { createFormTokens } from './form-tokens.ts';
import { detectSpam } from './spam-signals.ts';

const clock = new MovingClock();
const formTokens = createFormTokens('secret', clock);
const person = { name: 'Vera Visitor', email: 'vera@example.com', message: 'Please call me.' };
const noSpamFields = { honeypot: '', formToken: '' };

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
])('detects spam in %j', (sent, expected) => {
  expect(detectSpam({ ...person, ...sent }, noSpamFields, formTokens)).toEqual(expected);
});

test.each([
  {},
  { name: 'Dr. A. B. O’Neil-Smith Jr.' },
  { name: 'Wwwendy' },
  { message: 'Our site is https://veras-plumbing.test, can you make it new?' },
  { message: 'https://a.test '.repeat(5) },
  { message: 'if a < b and c > d, which address [sic] do you have?' },
])('detects no spam in %j', (sent) => {
  expect(detectSpam({ ...person, ...sent }, noSpamFields, formTokens)).toEqual([]);
});

test('accepts a token after two seconds, signed with its own secret only', () => {
  const token = formTokens.issue();
  expect(formTokens.verify(token)).toBe('too_fast');
  clock.move(1_999);
  expect(formTokens.verify(token)).toBe('too_fast');
  clock.move(1);
  expect(formTokens.verify(token)).toBe('valid');
  expect(createFormTokens('another', clock).verify(token)).toBe('forged');
});

test.each(['x', '.', '0.', '0.AAAA', 'NaN.x', '1'.repeat(10_000)])(
  'rejects the token %j',
  (token) => {
    expect(formTokens.verify(token)).toBe('forged');
  },
);

test('rejects a token with an earlier time', () => {
  const [time, signature] = formTokens.issue().split('.');
  expect(formTokens.verify(`${Number(time) - 60_000}.${signature}`)).toBe('forged');
});
