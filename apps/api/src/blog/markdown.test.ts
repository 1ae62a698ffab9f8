import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { pipelineVersion } from './bodies.ts';
import { renderMarkdown } from './markdown.ts';

test.each([
  ['## What it does', '<h2 dir="auto">What it does</h2>\n'],
  ['### In detail', '<h3 dir="auto">In detail</h3>\n'],
  ['One.\n\nTwo.', '<p dir="auto">One.</p>\n<p dir="auto">Two.</p>\n'],
  [
    'a **bold** and a __bold__ word',
    '<p dir="auto">a <strong>bold</strong> and a <strong>bold</strong> word</p>\n',
  ],
  ['- one\n- two', '<ul dir="auto">\n<li>one</li>\n<li>two</li>\n</ul>\n'],
  ['1. one\n2. two', '<ol dir="auto">\n<li>one</li>\n<li>two</li>\n</ol>\n'],
])('renders %j', (body, html) => {
  expect(renderMarkdown(body)).toBe(html);
});

test('a pipe table has header cells, and alignment without style attributes', () => {
  const html = renderMarkdown('| Task | Fit |\n|---|:---:|\n| Calls | **Yes** |');
  expect(html).toContain('<th scope="col">Task</th><th scope="col" class="center">Fit</th>');
  expect(html).toContain('<td>Calls</td><td class="center"><strong>Yes</strong></td>');
  expect(html).not.toContain('style=');
});

test('an empty cell in the first row is not a header', () => {
  expect(renderMarkdown('| | Betty |\n|---|---|\n| Nights | Yes |')).toContain(
    '<tr><td></td><th scope="col">Betty</th></tr>',
  );
});

test("lowers headings below the page's title", () => {
  expect(renderMarkdown('# Shouting')).toBe('<h2 dir="auto">Shouting</h2>\n');
});

test.each([
  '<script>alert(1)</script>',
  'before <img src=x onerror=alert(1)> after',
  '<div style="position:fixed">\n\ntext\n\n</div>',
  '`<b>` and &lt;b&gt;',
  '| <i onclick=x> |\n|---|\n| <svg onload=x> |',
  '![" onerror="alert(1)](https://x.example/a.png)',
  '[a](https://x.example/"onmouseover="alert(1))',
])('shows markup in %j as text', (body) => {
  const tags = renderMarkdown(body).match(/<[a-z][^>]*>/g) ?? [];
  for (const tag of tags) {
    expect(tag).toMatch(
      /^<(?:p dir="auto"|code|div class="table-frame" role="group" aria-label="Table" tabindex="0"|table dir="auto"|thead|tbody|tr|td|th scope="col"|a href="[^"]*"|img src="[^"]*" alt="[^"]*" loading="lazy")>$/,
    );
  }
});

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  '<java\tscript:alert(1)>',
  'data:text/html,x',
  'vbscript:x',
])('removes the link to %j', (address) => {
  const html = renderMarkdown(`[words](${address})`);
  expect(html).not.toContain('<a');
  expect(html).toContain('words');
});

test.each(['https://x.example/', '/contact', '#top', 'mailto:a@x.example', 'tel:+15550100100'])(
  'keeps the link to %j',
  (address) => {
    expect(renderMarkdown(`[words](${address})`)).toBe(
      `<p dir="auto"><a href="${address}">words</a></p>\n`,
    );
  },
);

test('keeps spaces, and breaks lines after two of them', () => {
  expect(renderMarkdown('a  \nb')).toBe('<p dir="auto">a<br>b</p>\n');
  expect(renderMarkdown('a   b   *c*')).toBe('<p dir="auto">a   b   <em>c</em></p>\n');
  expect(renderMarkdown('a   ')).toBe('<p dir="auto">a   </p>\n');
});

test('the output matches the pipeline version', () => {
  const kinds = [
    '# One\n\n## Two\n\nA **bold** _and_ ~~gone~~ `code` [link](/a "t") ![picture](/b).  \nLine.',
    '> quote\n> - item\n>   1. nested\n\n- [ ] open\n- [x] done\n\n---\n\n```js\ncode <b>\n```',
    '| a | b |\n|:-|-:|\n| **1** | `2` |\n| 3 |\n\n<div>text</div> & "quotes" <https://a.example>',
  ];
  const html = kinds.map(renderMarkdown).join('\n');
  // Raise pipelineVersion in bodies.ts with every change here: stored bodies are rendered again.
  expect([pipelineVersion, hash('sha256', html)]).toEqual([
    2,
    'db0c48ae6bd880d0a11811aaf1db4313b947285e8a5344e830509c4bd16ac63a',
  ]);
});

test('each block has the direction of its script', () => {
  const body = 'Hello.\n\nمرحبا\n\n- واحد\n\n1. one\n\n> اقتباس\n\n## عنوان\n\n| أ |\n|---|\n| ب |';
  const blocks = renderMarkdown(body).match(/<(?:p|ul|ol|blockquote|h2|table)\b[^>]*>/g) ?? [];
  expect(blocks.filter((block) => block.includes(' dir="auto"'))).toHaveLength(7);
  expect(blocks).toHaveLength(8);
});

test('nested blocks have the direction of their container', () => {
  expect(renderMarkdown('> اقتباس')).toBe(
    '<blockquote dir="auto">\n<p>اقتباس</p>\n</blockquote>\n',
  );
  const [outer, ...inner] =
    renderMarkdown('- واحد\n\n  نص\n  - اثنان').match(/<(?:ul|li|p)[^>]*>/g) ?? [];
  expect(outer).toBe('<ul dir="auto">');
  expect(inner.join('')).not.toContain('dir');
});

test('keeps the first number of a list', () => {
  expect(renderMarkdown('3. three\n4. four')).toContain('<ol dir="auto" start="3">');
});
