import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSmallForm, isSmallJson, isSmallMultipart } from './body-shape.ts';

const bytes = (text: string) => Buffer.from(text);

test.each([
  ['nested arrays', '['.repeat(500_000) + ']'.repeat(500_000)],
  ['arrays that never end', '['.repeat(1_000_000)],
  ['nested objects', '{"a":'.repeat(200_000)],
  ['many keys', `{${Array.from({ length: 60_000 }, (_, n) => `"k${n}":${n}`).join()}}`],
  ['many empty objects', `[${'{},'.repeat(300_000)}1]`],
  ['many keys after a string with quotes', `{"a":"\\"","b":[${'1,'.repeat(101)}1]}`],
])('rejects a JSON body of %s', (_, text) => {
  expect(isSmallJson(bytes(text))).toBe(false);
});

test('accepts a post regardless of its text', () => {
  const contents = fc.sample(fc.string({ unit: 'binary', maxLength: 500 }), {
    seed: 1,
    numRuns: 200,
  });
  for (const content of contents) {
    const text = JSON.stringify({ title: 'Title', content: `${content}[{,"\\`.repeat(50) });
    expect(isSmallJson(bytes(text)), text).toBe(true);
  }
});

test('accepts a form with up to 100 fields', () => {
  expect(isSmallForm(bytes(Array.from({ length: 100 }, (_, n) => `k${n}=1`).join('&')))).toBe(true);
  expect(isSmallForm(bytes('&'.repeat(100)))).toBe(false);
});

const part = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n';

test.each([
  ['a file', part, true],
  ['ten thousand parts', part.repeat(10_000), false],
  ['a header without an end', `--x\r\n${'A: b\r\n'.repeat(10_000)}\r\n1\r\n`, false],
  ['nothing', '', false],
])('checks a multipart body with %s', (_, text, isSmall) => {
  expect(isSmallMultipart(bytes(`${text}${text && '--x--\r\n'}`), 'x')).toBe(isSmall);
});
