import satori, { type Font } from 'satori';
import { beforeAll, expect, test } from 'vitest';
import { loadFonts } from './load-fonts.ts';
import { drawable, element, titleStyle } from './title.ts';

const frame = { width: 1056, height: 190 };
let fonts: Font[];

beforeAll(async () => {
  fonts = (await loadFonts()).map((data, index) => ({ name: `display-${index}`, data }));
});

async function layOut(text: string, style: object) {
  let box = { width: 0, height: 0 };
  const svg = await satori(element('div', { display: 'block', ...style }, text), {
    width: 1,
    fonts,
    onNodeDetected: ({ width, height }) => {
      box = { width, height };
    },
  });
  return { ...box, svg };
}

const widthOf = async (text: string) =>
  (await layOut(text, { fontSize: 1_000, width: 'min-content' })).width;

test.each([
  [' Łódź  → 漢字 “naïve”\ncafé 🚐 ', 'Łódź “naïve” café'],
  ['漢字', ''],
  ['これは「重要」です！ (1/２)', ''],
  ['2026年の東京でのAI活用', ''],
  ['AI in 日本', 'AI in'],
  ['— 404 —', '— 404 —'],
  ['会議 – 東京: “検索”!', ''],
  ['مرحبا بالعالم', ''],
  ['שלום and welcome', 'and welcome'],
  ['👩‍👩‍👧 family 👍🏽 🇩🇪', 'family'],
  ['soft\u00ADhyphen, zero\u200Bwidth, text\uFE0F', 'softhyphen, zerowidth, text'],
  ['e\u0301', 'é'],
  ['', ''],
])('reduces %j to %j, for which the fonts have glyphs', async (text, expected) => {
  expect(await drawable(text, fonts)).toBe(expected);
});

test('draws letters of all font files, with kerning', async () => {
  expect(await widthOf('Ł')).toBeGreaterThan(0);
  expect(await widthOf('AV')).toBeLessThan((await widthOf('A')) + (await widthOf('V')));
});

test.each([
  ['Blog'],
  ['Someone answers, day and night'],
  ['How a company that answers at night has more to do in the morning'],
  ['x'.repeat(300)],
  [`${'x'.repeat(60)} and more words `.repeat(8).trim()],
  ['many words '.repeat(60).trim()],
])('fits %s into the frame', async (text) => {
  const { width, height } = await layOut(text, await titleStyle(text, frame, fonts));
  expect(width).toBeLessThanOrEqual(frame.width);
  expect(height).toBeLessThanOrEqual(frame.height);
});

test('does not break a word that fits the width of the frame', async () => {
  const text = 'Donaudampfschifffahrtsgesellschaft';
  const { fontSize } = await titleStyle(text, frame, fonts);
  expect(((await widthOf(text)) * fontSize) / 1_000).toBeLessThanOrEqual(frame.width);
});

test('draws few words larger than many', async () => {
  const few = await titleStyle('Blog', frame, fonts);
  const many = await titleStyle('many words '.repeat(8).trim(), frame, fonts);
  expect(few.fontSize).toBeGreaterThan(many.fontSize);
});

test('truncates a title that does not fit', async () => {
  const text = 'many words '.repeat(60).trim();
  const style = await titleStyle(text, frame, fonts);
  const cut = await layOut(text, style);
  const whole = await layOut(text, { ...style, lineClamp: undefined });
  expect(style).toMatchObject({ fontSize: 46, lineClamp: 3 });
  expect(whole.height).toBeGreaterThan(frame.height);
  expect(cut.svg.length).toBeLessThan(whole.svg.length);
});
