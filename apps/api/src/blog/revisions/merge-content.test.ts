import { textOfParts } from '@app/contract/blog/content-parts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFullRun } from '../../testing/full-run.ts';
import { mergeContent, mergeTexts } from './merge-content.ts';

const merge = (base: string | null, theirs: string, yours: string) =>
  mergeContent({ base, theirs, yours }, mergeTexts);

const merged = (base: string | null, theirs: string, yours: string): string =>
  textOfParts(merge(base, theirs, yours), () => '<conflict>\n');

const text = 'First.\n\nSecond.\n\nThird.\n\nFourth.';

test.each([
  ['a change of one side', text, text, text.replace('Third', '3rd'), text.replace('Third', '3rd')],
  [
    'changes of different paragraphs',
    text,
    text.replace('First', '1st'),
    text.replace('Third', '3rd'),
    '1st.\n\nSecond.\n\n3rd.\n\nFourth.',
  ],
  [
    'a paragraph more and one less',
    text,
    `Zeroth.\n\n${text}`,
    text.replace('Third.\n\n', ''),
    'Zeroth.\n\nFirst.\n\nSecond.\n\nFourth.',
  ],
  ['the same change', text, 'First.', 'First.', 'First.'],
  [
    'a line feed at the end',
    text,
    `${text}\n`,
    text.replace('First', '1st'),
    `1st${text.slice(5)}\n`,
  ],
])('merges %s', (_what, base, theirs, yours, expected) => {
  expect(merged(base, theirs, yours)).toBe(expected);
  expect(merged(base, yours, theirs)).toBe(expected);
});

test('returns both versions of a paragraph that both sides changed', () => {
  const theirs = text.replace('Second', 'Theirs');
  const yours = text.replace('Second', 'Yours').replace('Fourth', '4th');

  const parts = merge(text, theirs, yours);

  expect(parts).toEqual([
    { text: 'First.\n\n' },
    { base: 'Second.\n', theirs: 'Theirs.\n', yours: 'Yours.\n' },
    { text: '\nThird.\n\n4th.\n' },
  ]);
});

test('does not add an empty line where a side deleted the paragraph', () => {
  const parts = merge(text, text.replace('Second.\n\n', ''), text.replace('Second', '2nd'));
  expect(textOfParts(parts, ({ theirs }) => theirs)).toBe('First.\n\nThird.\n\nFourth.');
});

test('without a base, texts that differ are a conflict', () => {
  expect(merge(null, 'Theirs', 'Yours')).toEqual([
    { base: null, theirs: 'Theirs\n', yours: 'Yours\n' },
  ]);
  expect(merge(null, 'Same', 'Same')).toEqual([{ text: 'Same\n' }]);
});

test('merges a long text by paragraphs', () => {
  const base = Array.from({ length: 1_000 }, (_, n) => `Paragraph ${n}.`).join('\n\n');
  expect(merged(base, base.replace(/\d+/, 'x'), `${base}\n\nMore.`)).toBe(
    `${base.replace(/\d+/, 'x')}\n\nMore.`,
  );
});

test('does not compare texts that would take too long', () => {
  const alternating = (first: string) => `${first}\n${'a\nb\n'.repeat(10_000)}`;
  const texts = {
    base: alternating('c\nc'),
    theirs: alternating('b\na'),
    yours: 'b\na\n'.repeat(9_000),
  };
  expect(mergeTexts(texts)).toHaveLength(1);
});

const lines = fc.array(fc.constantFrom('one', 'two', 'three', 'four', '', '- five'), {
  maxLength: 12,
});
/** Random edits of a text: lines replaced, deleted and inserted. */
const edited = (base: readonly string[]) =>
  fc
    .array(
      fc.record({
        at: fc.nat({ max: base.length }),
        remove: fc.nat({ max: 2 }),
        insert: fc.array(fc.constantFrom('new', 'one', '', 'other'), { maxLength: 2 }),
      }),
      { maxLength: 3 },
    )
    .map((edits) => {
      const result = [...base];
      for (const { at, remove, insert } of edits) result.splice(at, remove, ...insert);
      return result;
    });
const changes = lines.chain((base) =>
  fc.record({ base: fc.constant(base), theirs: edited(base), yours: edited(base) }),
);

test('never loses lines that both sides have, and never adds lines that neither has', () => {
  fc.assert(
    fc.property(changes, ({ base, theirs, yours }) => {
      const parts = merge(base.join('\n'), theirs.join('\n'), yours.join('\n'));
      const result = textOfParts(parts, (sides) => sides.theirs + sides.yours).split('\n');
      for (const line of new Set([...base, ...theirs, ...yours])) {
        const [before, their, your, now] = [base, theirs, yours, result].map(
          (all) => all.filter((other) => other === line).length,
        ) as [number, number, number, number];
        // The sides can remove different ones of equal lines, and add the same ones. If they remove
        // a and b of n lines, max(0, n - a - b) + max(a, b) remain, which is at least half of n.
        if (line !== '' && their >= before && your >= before)
          expect(now).toBeGreaterThanOrEqual(before / 2);
      }
      for (const line of result) {
        if (line !== '') expect([...theirs, ...yours]).toContain(line);
      }
    }),
    { numRuns: isFullRun ? 20_000 : 1_000 },
  );
});

test('choosing the same side of every conflict yields the text of that side', () => {
  fc.assert(
    fc.property(lines, lines, lines, (base, theirs, yours) => {
      const [a, b] = [theirs.join('\n'), yours.join('\n')];
      // Without a base, no change belongs to only one side.
      const parts = merge(null, a, b);
      expect(textOfParts(parts, (sides) => sides.yours)).toBe(b);
      expect(textOfParts(merge(base.join('\n'), base.join('\n'), b), () => '')).toBe(b);
    }),
  );
});
