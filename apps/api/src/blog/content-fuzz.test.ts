import { contentProblems, findContentProblem } from '@app/contract/blog/post-content';
import { limits } from '@app/contract/limits';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBodyRenderer, renderingBusy } from './body-renderer.ts';

/** A check may hold the server up for that long, in milliseconds. */
const checkBudget = 50;
/** A render may take that long, in milliseconds; honest texts of this length take less than 30. */
const renderBudget = 2_000;
const longest = 20_000;

const renderer = createBodyRenderer({ milliseconds: renderBudget });
// Its process starts outside of any budget.
beforeAll(() => renderer.render('ready', 'fuzz'));
afterAll(() => renderer.close());

const knownProblems: readonly string[] = Object.values(contentProblems);

/** Fails when a text costs more than it may, whether it is accepted or not. */
async function expectWithinBudget(text: string): Promise<void> {
  const checkBegan = performance.now();
  const refused = findContentProblem(text);
  expect(performance.now() - checkBegan).toBeLessThan(checkBudget);
  if (refused !== null) {
    expect(knownProblems).toContain(refused);
    return;
  }
  const renderBegan = performance.now();
  const body = await renderer.render(text, 'fuzz');
  // The server may be slow to hear of it, but not by much.
  expect(performance.now() - renderBegan).toBeLessThan(renderBudget + 1_000);
  if (body === renderingBusy) throw new Error('one render at a time, and yet too many');
  // What is refused by then has no limit of its own that could be named, which must be rare.
  if ('problem' in body) expect(body.problem).toBe(contentProblems.tooLarge);
  else expect(body.html.length).toBeLessThanOrEqual(limits.contentHtml);
}

const leaf = fc.constantFrom(
  ...['# ', '> ', '- ', '1. ', '* ', '+ ', '    ', '\t', '```', '~~~', '---', '===', '|', '|-'],
  ...['|-|-|\n', '|:-:', '\n', '\n\n', '  \n', '\\\n', '\r\n', '*', '**', '***', '_', '__', '~~'],
  ...['`', '``', '[', ']', '](', '](/a)', '![', ')', '(', '[a](/b "c")', '[a]: /b\n', '[ ] ', '<'],
  ...['<a', '</a>', '<!--', '-->', '<a@b.example>', '<https://a.example>', 'www.a.example', '://'],
  ...[
    '&',
    '&amp;',
    '&#0;',
    '\\',
    '"',
    "'",
    ' ',
    'a',
    'word ',
    '漢',
    '🙂',
    '\u0301',
    '\u0000',
    '\u200b',
  ],
);
const times = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 30 }) },
  { weight: 1, arbitrary: fc.integer({ min: 30, max: 5_000 }) },
);
const cut = (text: string): string => text.slice(0, longest);

/** What repeats and nests the building blocks of Markdown. */
const { markdown } = fc.letrec<{ markdown: string }>((tie) => ({
  markdown: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('markdown'), { minLength: 1, maxLength: 6 }).map((parts) => cut(parts.join(''))),
    fc
      .tuple(tie('markdown'), times)
      .map(([part, n]) => cut(part.repeat(Math.min(n, 1 + longest / (part.length || 1))))),
    fc
      .tuple(leaf, tie('markdown'), leaf, times)
      .map(([open, inner, close, n]) => cut(open.repeat(n) + inner + close.repeat(n))),
    // Deeper by each line.
    fc
      .tuple(leaf, fc.integer({ min: 1, max: 60 }))
      .map(([marker, n]) =>
        Array.from({ length: n }, (_, level) => `${'  '.repeat(level)}${marker}a`).join('\n'),
      ),
  ),
}));

test('2,000 texts of nested and repeated building blocks cost no more than they may', {
  timeout: 60_000,
}, async () => {
  await fc.assert(fc.asyncProperty(markdown, expectWithinBudget), {
    numRuns: 2_000,
    seed: 20_261_122,
    endOnFailure: true,
  });
});

const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
const combining = Array.from({ length: 0x70 }, (_, index) => String.fromCharCode(0x300 + index));

test.each([
  ['every ASCII character', ascii],
  ['every combining mark', combining],
])('runs of %s cost no more than they may', { timeout: 60_000 }, async (_, characters) => {
  for (const character of characters) {
    // As long as it may be, again and again; and longer.
    const run = character.repeat(
      characters === combining ? limits.combiningMarks : limits.repeatedCharacter,
    );
    await expectWithinBudget(`${run}a`.repeat(longest / run.length));
    await expectWithinBudget(`a${character.repeat(longest)}b`);
  }
});
