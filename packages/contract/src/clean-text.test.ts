import { expect, test } from 'vitest';
import { isVisible, manyLines, oneLine } from './clean-text.ts';

const hex = (text: string): string =>
  [...text].map((character) => `U+${character.codePointAt(0)?.toString(16)}`).join(' ');

/** Every character that Unicode says to ignore, and lookalikes of nothing. */
const invisible = [...Array(0x11_0000).keys()]
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((character) => /[\p{Default_Ignorable_Code_Point}\u{fff9}-\u{fffc}]/u.test(character));

test('no invisible character stays in a short text', () => {
  expect(invisible.length).toBeGreaterThan(4_000);
  for (const character of invisible) {
    expect([hex(character), oneLine(`Fieldlight${character}AI`)]).toEqual([
      hex(character),
      'FieldlightAI',
    ]);
    expect([hex(character), oneLine(` ${character} `), isVisible(character)]).toEqual([
      hex(character),
      '',
      false,
    ]);
  }
});

test('spaces of every kind become single ones', () => {
  const spaces = [...Array(0x1_4000).keys()]
    .map((code) => String.fromCodePoint(code))
    .filter((character) => /[\p{White_Space}\p{Cc}\u{2800}\u{13441}\u{13442}]/u.test(character));
  expect(spaces.length).toBeGreaterThan(80);
  for (const space of spaces) {
    expect([hex(space), oneLine(`${space}a ${space}b${space}`)]).toEqual([hex(space), 'a b']);
    expect([hex(space), isVisible(space)]).toEqual([hex(space), false]);
  }
});

test.each([
  ['composes', 'Ame\u0301lie', 'Amélie'],
  ['composes what something invisible kept apart', 'Ame\u034f\u0301lie', 'Amélie'],
  ['removes direction controls', 'a\u202eb\u2066c\u2069d\u200fe\u061cf', 'abcdef'],
  ['replaces lone surrogates', 'a\ud800b\udc00', 'a b'],
  ['removes joiners between other letters', 'a\u200db\u200cc', 'abc'],
  ['removes joiners at the ends', '\u200cمی\u200c', 'می'],
  ['removes selectors after other letters', 'a\ufe0fb1\ufe0fc', 'ab1c'],
  ['removes repeated joiners', 'می\u200c\u200cخواهم', 'میخواهم'],
  [
    'removes what only invisible characters could need',
    'a\u17b4\u200c\u17b5\u180b\u180b\u061c\u200db',
    'ab',
  ],
  ['removes hidden text in tags', `a${String.fromCodePoint(0xe0041, 0xe0042)}b`, 'ab'],
])('%s', (_, text, cleaned) => {
  expect(oneLine(text)).toBe(cleaned);
});

test.each([
  'می‌خواهم',
  'क्‍ष',
  'র‍্যাব',
  'ශ්‍රී ලංකා',
  'അവന്‍ ',
  '👩‍⚕️ 🏳️‍🌈 👨‍👩‍👧‍👦 🧑🏽‍🚀 ❤️ ☎︎',
  '1️⃣ #️⃣',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  '葛󠄀城',
  'שלום עולם',
  'مرحبا',
  'ᠮᠤ\u180b',
  'က\ufe00',
  'Seán O’Brien – 50 % off, “x”',
])('keeps %s', (text) => {
  expect(oneLine(text)).toBe(text.trim());
  expect(oneLine(oneLine(text))).toBe(oneLine(text));
});

test('line breaks, tabs and joiners stay in a longer text; overrides of the direction do not', () => {
  const text = ' a\r\nb\rc\td\u202ee\u2067f\u2069\u0000g\ud800\n\nمی\u200cخواهم\n';
  expect(manyLines(text)).toBe('a\nb\nc\tdefg\n\nمی\u200cخواهم');
});

test('a longer text of nothing visible is empty', () => {
  expect(manyLines('\u3164\n\u200b \u2800\u115f\u{e0100}')).toBe('');
});
