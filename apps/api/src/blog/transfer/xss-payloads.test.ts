import { readFileSync } from 'node:fs';
import type { Element, Nodes } from 'hast';
import { expect, test } from 'vitest';
import { isFullRun } from '../../testing/full-run.ts';
import { renderMarkdown } from '../rendering/markdown.ts';
import { convertText } from './convert/convert-text.ts';
import { htmlToText } from './convert/html-to-text.ts';
import { parseHtml } from './convert/parse-html.ts';

const file = new URL('../../../../../tests/fixtures/xss-payloads.json', import.meta.url);
const { payloads } = JSON.parse(readFileSync(file, 'utf8')) as { payloads: { text: string }[] };

/** Converting and rendering all of them takes six seconds. */
const sample = isFullRun ? payloads : payloads.filter((_, index) => index % 3 === 0);

const foreign = [
  ...['script', 'style', 'iframe', 'object', 'embed', 'form', 'meta', 'base', 'link', 'template'],
  ...['math', 'svg', 'video', 'audio'],
];
const urls = ['href', 'src', 'srcSet', 'action', 'formAction', 'xLinkHref', 'poster'];

/** What could run or load scripts in a rendered text. */
function hostileIn(html: string): string[] {
  const elements = elementsIn(parseHtml(html).children);
  return elements.flatMap(({ tagName, properties }) => [
    ...(foreign.includes(tagName) ? [tagName] : []),
    ...Object.entries(properties).flatMap(([name, value]) =>
      /^on/i.test(name) || (urls.includes(name) && !isHarmless(String(value)))
        ? [`${name}=${value}`]
        : [],
    ),
  ]);
}

function isHarmless(url: string): boolean {
  const protocol = URL.parse(url, 'https://site.example')?.protocol ?? 'https:';
  return ['http:', 'https:', 'mailto:', 'tel:'].includes(protocol);
}

const elementsIn = (nodes: readonly Nodes[]): Element[] =>
  nodes.flatMap((node) => [
    ...(node.type === 'element' ? [node] : []),
    ...('children' in node ? elementsIn(node.children) : []),
  ]);

/** The payload in every place where Markdown has text. */
const everywhere = (text: string): string => {
  const line = text.replaceAll('\n', ' ');
  const parts = [
    text,
    `## ${line}`,
    `![${line}](/a.png "${line}")`,
    `[${line}](https://example.com/${line})`,
  ];
  const more = [
    `- [ ] ${line}`,
    `| ${line} |\n| --- |\n| ${line} |`,
    `> ${line}`,
    `\`\`\`html\n${text}\n\`\`\``,
  ];
  return [...parts, ...more, `a[^1]\n\n[^1]: ${line}`].join('\n\n');
};

test(`${sample.length} XSS payloads stay text, as Markdown and as imported HTML`, () => {
  expect(payloads.length).toBeGreaterThan(500);
  const found = sample.flatMap(({ text }) => {
    const html = `<p>a</p>${text}<p title="${text}"><img src="/a.png" alt="${text}"></p>`;
    const imported = (['html', 'wordpress', 'markdown'] as const).map((format) =>
      convertText({ format, text: format === 'markdown' ? everywhere(text) : html }),
    );
    const markdown = imported.flatMap((each) => ('markdown' in each ? each.markdown : []));
    return [everywhere(text), ...markdown]
      .flatMap((each) => hostileIn(renderMarkdown(each).html))
      .map((hostile) => ({ text, hostile }));
  });
  expect(found).toEqual([]);
});

test('XSS payloads in WordPress titles become text', () => {
  const titles = payloads.map(({ text }) => htmlToText(`${text} and a title`));
  expect(titles.filter((title) => typeof title !== 'string')).toEqual([]);
  expect(htmlToText('<frameset><frame src="/a"></frameset>')).toBe('');
  expect(htmlToText('Tips &amp; <b>tricks</b>')).toBe('Tips & tricks');
});
