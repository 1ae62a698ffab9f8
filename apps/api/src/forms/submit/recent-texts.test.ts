import { expect, test } from 'vitest';
import { MovingClock } from '../../testing/test-app.ts';
import { createRecentTexts } from './recent-texts.ts';

const offer = 'We rank your website first on every search engine, or your money back.';
const day = 24 * 60 * 60 * 1_000;

test('a text is counted whatever its case and blanks, and apart from others', () => {
  const texts = createRecentTexts(new MovingClock());
  expect(texts.note(offer)).toBe(1);
  expect(texts.note(offer.toUpperCase().replaceAll(' ', '\n '))).toBe(2);
  expect(texts.note(`${offer} Really.`)).toBe(1);
  expect(texts.note(offer)).toBe(3);
});

test('its day begins with its first time, and ends for all of them', () => {
  const clock = new MovingClock();
  const texts = createRecentTexts(clock);
  texts.note(offer);
  clock.move(day - 1);
  expect(texts.note(offer)).toBe(2);
  clock.move(2);
  expect(texts.note(offer)).toBe(1);
});

test('short texts are alike by chance', () => {
  const texts = createRecentTexts(new MovingClock());
  for (let i = 0; i < 5; i += 1) expect(texts.note('Please call me back.')).toBe(1);
});

test('of very many texts the oldest is forgotten', () => {
  const texts = createRecentTexts(new MovingClock());
  texts.note(offer);
  for (let i = 0; i < 10_000; i += 1) texts.note(`${offer} ${i}`);
  expect(texts.note(offer)).toBe(1);
});
