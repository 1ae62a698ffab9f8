import { expect, test } from 'vitest';
import { limits } from '../limits.ts';
import { contentProblems, findContentProblem } from './post-content.ts';

const table = (columns: number, rows: number): string =>
  `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${'|\n'.repeat(rows)}`;
const items = (depth: number): string =>
  Array.from({ length: depth }, (_, level) => `${'  '.repeat(level)}- item`).join('\n');

test.each<[string, (size: number) => string, number, string]>([
  [
    'lists in one line',
    (n) => `${'- '.repeat(n)}a`,
    limits.contentNesting,
    contentProblems.nesting,
  ],
  ['lists by indentation', items, limits.contentNesting, contentProblems.nesting],
  [
    'numbered lists in a quote',
    (n) => `>${' 1. '.repeat(n - 1)}a`,
    limits.contentNesting,
    contentProblems.nesting,
  ],
  ['quotes', (n) => `${'> '.repeat(n)}a`, limits.contentNesting, contentProblems.nesting],
  ['brackets', (n) => '[a '.repeat(n), limits.contentBrackets, contentProblems.brackets],
  ['emphasis', (n) => '*a '.repeat(n), limits.contentEmphasis, contentProblems.emphasis],
  ['struck text', (n) => 'a~~"'.repeat(n), limits.contentEmphasis, contentProblems.emphasis],
  ['columns', (n) => table(n, 3), limits.tableColumns, contentProblems.tableColumns],
  ['rows', (n) => table(2, n), limits.tableRows, contentProblems.tableRows],
  [
    'cells, including those that short rows lack',
    (n) => table(50, n / 50 - 1),
    limits.tableCells,
    contentProblems.tableCells,
  ],
  [
    'cells of a table in a list in a quote',
    (n) => `> - ${table(50, n / 50 - 1).replaceAll('\n', '\n>   ')}`,
    limits.tableCells,
    contentProblems.tableCells,
  ],
  ['links', (n) => '[a](/b) '.repeat(n), limits.links, contentProblems.links],
  ['autolinks', (n) => '<https://a.example> '.repeat(n), limits.links, contentProblems.links],
  ['written-out URLs', (n) => 'https://a.example '.repeat(n), limits.links, contentProblems.links],
  ['references to footnotes', (n) => 'a[^1] '.repeat(n), limits.links, contentProblems.links],
  [
    'each link to a URL once',
    (n) => '[a](https://a.example) '.repeat(n),
    limits.links,
    contentProblems.links,
  ],
  ['images', (n) => '![a](/b)\n\n'.repeat(n), limits.images, contentProblems.images],
  [
    'a repeated character',
    (n) => `a${' '.repeat(n)}b`,
    limits.repeatedCharacter,
    contentProblems.repeatedCharacter,
  ],
  [
    'combining marks',
    (n) => `Z${'\u0301'.repeat(n)}`,
    limits.combiningMarks,
    contentProblems.combiningMarks,
  ],
])('counts %s', (_, make, limit, problem) => {
  expect(findContentProblem(make(limit))).toBeNull();
  expect(findContentProblem(make(limit * 1.02 + 1))).toBe(problem);
});

test.each([
  ['horizontal rules', '- - - - - - - - - - - - - - - - - - - - - - - - -\n* * * * * *'.repeat(9)],
  ['code', `\`\`\`\n${'[[[[ ***'.repeat(600)}\n${'\t'.repeat(90)}- deep\n\`\`\``],
  ['many short paragraphs', 'It *matters* [a](b).\n\n'.repeat(900)],
  ['a long list', `${items(3)}\n`.repeat(2_000)],
  ['many tables', `${table(4, 20)}\n\n`.repeat(100)],
  ['Thai, Hebrew, Tibetan and Vietnamese', 'น้ำ שָׁלוֹם བརྒྱུད Tiếng Việt '.repeat(100)],
])('accepts %s', (_, content) => {
  expect(findContentProblem(content)).toBeNull();
});

test('checks text after a table or code block', () => {
  const nested = `${'- '.repeat(30)}a`;
  expect(findContentProblem(`\`\`\`\ncode\n\`\`\`\n${nested}`)).toBe(contentProblems.nesting);
  expect(findContentProblem(`${table(2, 2)}\n\n${'*a '.repeat(2_100)}`)).toBe(
    contentProblems.emphasis,
  );
});
