import { day } from '@app/contract/durations';
import { expect, test } from 'vitest';
import { MovingClock } from '../../testing/test-app.ts';
import { createRecentTexts } from './recent-texts.ts';

const offer = 'We rank your website first on every search engine, or your money back.';

test('counts a text ignoring case and white space', () => {
  const texts = createRecentTexts(new MovingClock());
  expect(texts.note(offer)).toBe(1);
  expect(texts.note(offer.toUpperCase().replaceAll(' ', '\n '))).toBe(2);
  expect(texts.note(`${offer} Really.`)).toBe(1);
  expect(texts.note(offer)).toBe(3);
});

test('resets the count a day after the first time', () => {
  const clock = new MovingClock();
  const texts = createRecentTexts(clock);
  texts.note(offer);
  clock.move(day - 1);
  expect(texts.note(offer)).toBe(2);
  clock.move(2);
  expect(texts.note(offer)).toBe(1);
});

test('does not count short texts', () => {
  const texts = createRecentTexts(new MovingClock());
  for (let i = 0; i < 5; i += 1) expect(texts.note('Please call me back.')).toBe(1);
});

test('drops the oldest text beyond the maximum', () => {
  const texts = createRecentTexts(new MovingClock());
  texts.note(offer);
  for (let i = 0; i < 10_000; i += 1) texts.note(`${offer} ${i}`);
  expect(texts.note(offer)).toBe(1);
});
