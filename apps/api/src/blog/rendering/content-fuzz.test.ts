import { contentProblems, findContentProblem } from '@app/contract/blog/post-content';
import { limits } from '@app/contract/limits';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFullRun } from '../../testing/full-run.ts';
import { renderMarkdown } from './markdown.ts';

/** CPU time of a check, in milliseconds. */
const checkBudget = 50;
/** CPU time of a render, in milliseconds; valid texts of this length take less than 30. */
const renderBudget = 2_000;
const longest = 20_000;

const knownProblems: readonly string[] = Object.values(contentProblems);

/** The result, and the CPU time of this thread in milliseconds. */
function measured<T>(work: () => T): [result: T, milliseconds: number] {
  const began = process.threadCpuUsage();
  const result = work();
  const { user, system } = process.threadCpuUsage(began);
  return [result, (user + system) / 1_000];
}

function expectWithinBudget(text: string): void {
  const [refused, checkTime] = measured(() => findContentProblem(text));
  expect(checkTime).toBeLessThan(checkBudget);
  if (refused !== null) {
    expect(knownProblems).toContain(refused);
    return;
  }
  const [body, renderTime] = measured(() => renderMarkdown(text));
  expect(renderTime).toBeLessThan(renderBudget);
  // Longer output is rejected later, but must not fill the memory before that.
  expect(body.html.length).toBeLessThanOrEqual(2 * limits.contentHtml);
}

const leaf = fc.constantFrom(
  ...['# ', '> ', '- ', '1. ', '* ', '+ ', '    ', '\t', '```', '~~~', '---', '===', '|', '|-'],
  ...['|-|-|\n', '|:-:', '\n', '\n\n', '  \n', '\\\n', '\r\n', '*', '**', '***', '_', '__', '~~'],
  ...['`', '``', '[', ']', '](', '](/a)', '![', ')', '(', '[a](/b "c")', '[a]: /b\n', '[ ] ', '<'],
  ...[
    '[^1]',
    '[^1]: ',
    '[^a]:\n',
    '- [x] ',
    '```js\n',
    '```css\n',
    'https://',
    'https://a',
    '(www.',
  ],
  ...['![a](/b "c")\n', '##', '## a\n', '\u00a0\n', 'a<'],
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
    // Each line is nested one level deeper.
    fc
      .tuple(leaf, fc.integer({ min: 1, max: 60 }))
      .map(([marker, n]) =>
        Array.from({ length: n }, (_, level) => `${'  '.repeat(level)}${marker}a`).join('\n'),
      ),
  ),
}));

const nestedTexts = isFullRun ? 2_000 : 250;

test(`${nestedTexts} nested and repeated texts stay within the budget`, () => {
  fc.assert(fc.property(markdown, expectWithinBudget), {
    numRuns: nestedTexts,
    seed: 20_261_122,
    endOnFailure: true,
  });
});

const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
const combining = Array.from({ length: 0x70 }, (_, index) => String.fromCharCode(0x300 + index));

test.each([
  ['every ASCII character', ascii],
  ['every combining mark', combining],
])('runs of %s stay within the budget', (_, characters) => {
  for (const character of characters) {
    // At and beyond the limit.
    const run = character.repeat(
      characters === combining ? limits.combiningMarks : limits.repeatedCharacter,
    );
    expectWithinBudget(`${run}a`.repeat(longest / run.length));
    expectWithinBudget(`a${character.repeat(longest)}b`);
  }
});

const code = (language: string, line: string) => (n: number) =>
  `\`\`\`${language}\n${line.repeat(n / line.length)}\n\`\`\``;
const repeated = (text: string) => (n: number) => text.repeat(n / text.length);

test.each<[string, (length: number) => string]>([
  ['line breaks', repeated('a\n')],
  ['line breaks before spaces of other kinds', repeated('\u00a0\n')],
  ['task lists', repeated('- [x] a\n')],
  ['figures', repeated('![a](/b "c")\n')],
  ['URLs', repeated('(https://a.example) ')],
  ['unfinished URLs', repeated('(https:// www. http://')],
  ['URLs of parentheses', (n) => `https://a${')'.repeat(999)}${'('.repeat(999)}`.repeat(n / 2_007)],
  ['references without notes', repeated('[^a]')],
  ['references', (n) => `${repeated('[^a]')(n)}\n\n[^a]: b`],
  ['notes', repeated('[^a]: b\n')],
  ['notes in notes', repeated('[^a]: ')],
  ['notes with empty lines', repeated('[^a]:\n\n\n\n')],
  ['long notes', (n) => `[^a]: b\n${repeated('    c\n\n')(n)}`],
  ['headings', repeated('#\n')],
  ['headings with numbers', (n) => `${repeated('# a\n# a 2\n# a 2 2\n')(n)}`],
  ['a long heading', (n) => `# ${repeated('a ')(n)}`],
  ['code of type parameters', code('ts', 'a<')],
  ['code of variables in CSS', code('css', '-')],
  ['code of regular expressions', code('js', '/a[')],
  ['code of quotes', code('json', '"a"   ')],
  ['many blocks of code', repeated('```js\na<a<\n```\n')],
])('renders %s within the budget', (_, make) => {
  expectWithinBudget(make(longest));
});
