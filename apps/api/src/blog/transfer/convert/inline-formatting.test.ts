import type { Element, Nodes } from 'hast';
import { expect, test } from 'vitest';
import { isFullRun } from '../../../testing/full-run.ts';
import { renderMarkdown } from '../../rendering/markdown.ts';
import { convertText } from './convert-text.ts';
import { parseHtml } from './parse-html.ts';

function markdownOf(html: string): string {
  const converted = convertText({ format: 'html', text: html });
  if ('problem' in converted) throw new Error(converted.problem);
  return converted.markdown;
}

const kinds: Readonly<Record<string, string>> = {
  ...{ b: 'strong', strong: 'strong', i: 'em', em: 'em', s: 'del', del: 'del', code: 'code' },
};

/** Every visible character with its formatting. Spaces have none, because it is not visible. */
function readersSee(node: Nodes, formatting: readonly string[] = [], seen: string[] = []) {
  if (node.type === 'text') readText(node.value, formatting, seen);
  else if (node.type === 'element' && node.tagName === 'br') readBreak(seen);
  else if ('children' in node) {
    const kind = node.type === 'element' ? kindOf(node) : undefined;
    const inner = kind ? [...formatting, kind] : formatting;
    for (const child of node.children) readersSee(child, inner, seen);
  }
  return seen;
}

const kindOf = ({ tagName, properties }: Element): string | undefined =>
  tagName === 'a' ? `a:${properties['href']}` : kinds[tagName];

function readText(text: string, formatting: readonly string[], seen: string[]): void {
  const marks = [...new Set(formatting)].sort().join(' ');
  for (const character of text.replace(/\s+/g, ' ')) {
    if (character !== ' ') seen.push(`${character} ${marks}`.trim());
    else if (!/^\s?$/.test(seen.at(-1) ?? '')) seen.push(' ');
  }
}

function readBreak(seen: string[]): void {
  if (seen.at(-1) === ' ') seen.pop();
  seen.push('\n');
}

const seenIn = (html: string): string => {
  const seen = readersSee(parseHtml(html));
  while (/^\s$/.test(seen.at(-1) ?? '')) seen.pop();
  while (/^\s$/.test(seen[0] ?? '')) seen.shift();
  return seen.join('|').replaceAll('|\n| |', '|\n|');
};

const wrappers = [
  ['<b>', '</b>'],
  ['<strong>', '</strong>'],
  ['<i>', '</i>'],
  ['<em>', '</em>'],
  ['<s>', '</s>'],
  ['<del>', '</del>'],
  ['<code>', '</code>'],
  ['<a href="https://e.example/?a=1&amp;b=2">', '</a>'],
  ['<b><i>', '</i></b>'],
  ['<em><strong>', '</strong></em>'],
  ['<b><s>', '</s></b>'],
  ['<a href="/x"><b>', '</b></a>'],
  ['<i><a href="/x">', '</a></i>'],
  ['<b><code>', '</code></b>'],
  ['<s><a href="/x"><em>', '</em></a></s>'],
  ['<b>x<i>', '</i></b>'],
  ['<i>(<b>', '</b>)</i>'],
  ['<b>x<br>', '</b>'],
] as const;
const insides = [
  'x',
  '(x)',
  '$5',
  '"x"',
  ' x ',
  '「重要」',
  '重要',
  'a*b',
  'a_b_',
  '1.',
  '`',
  'x.',
  'ü',
];
const sides = ['', 'a', ' ', '.', '(', '字', '。', 'é', '*', '_', '"', '1', '\u00a0', '<br>'];

const combinations = wrappers.flatMap(([open, close]) =>
  insides.flatMap((inside) =>
    sides.flatMap((before) =>
      sides.map((after) => `<p>${before}${open}${inside}${close}${after}</p>`),
    ),
  ),
);

/** The step has no factor in common with the lists, so every pair of parts occurs. */
const sample = isFullRun ? combinations : combinations.filter((_, index) => index % 17 === 0);

test(`readers see the same in ${sample.length} combinations of formatting and text`, () => {
  expect(sample.length).toBeGreaterThan(2_000);
  const wrong = sample.flatMap((html) => {
    const markdown = markdownOf(html);
    const before = seenIn(html);
    const after = seenIn(renderMarkdown(markdown).html);
    return before === after ? [] : [{ html, markdown, before, after }];
  });
  expect(wrong.slice(0, 10)).toEqual([]);
});

test('letters rarely become character references', () => {
  const usual = [
    '**a** b',
    '<b>a </b>b',
    'a<b> b</b>',
    '<b>a</b>b',
    '<i>a</i>, b',
    '<b>「重要」</b>です',
  ];
  expect(usual.map(markdownOf).join(' ')).not.toContain('&#');
});
