import { expect, test } from 'vitest';
import { lineHeight, typeset } from './typeset.ts';

/** Every letter half an em wide. */
const widthOf = (text: string): number => [...text].length / 2;
const frame = { width: 1000, height: 200 };

test.each([
  ['Blog'],
  ['Someone answers, day and night'],
  ['How a company that answers at night has more to do in the morning'],
  ['x'.repeat(300)],
  [`${'x'.repeat(60)} and more words `.repeat(8)],
  ['many words '.repeat(60)],
])('%s stays within its frame', (text) => {
  const { size, lines } = typeset(text.trim(), frame, widthOf);
  for (const line of lines) expect(widthOf(line) * size).toBeLessThanOrEqual(frame.width);
  expect(lines.length * size * lineHeight).toBeLessThanOrEqual(frame.height);
});

test('few words are larger than many', () => {
  const few = typeset('Blog', frame, widthOf);
  const many = typeset('many words '.repeat(8).trim(), frame, widthOf);
  expect(few.size).toBeGreaterThan(many.size);
});

test('lines are about as long as each other', () => {
  const { lines } = typeset('How a phone at night becomes work in the morning', frame, widthOf);
  const widths = lines.map(widthOf);
  expect(lines.length).toBeGreaterThan(1);
  expect(Math.min(...widths)).toBeGreaterThan(Math.max(...widths) * 0.6);
});

test('what fits is whole, what does not ends in an ellipsis', () => {
  const text = 'How a phone at night becomes work in the morning';
  expect(typeset(text, frame, widthOf).lines.join(' ')).toBe(text);
  expect(typeset('x'.repeat(300), frame, widthOf).lines.at(-1)).toMatch(/x…$/);
});
