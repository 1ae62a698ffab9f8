import { hash } from 'node:crypto';
import { countMarkdownWords } from '@app/contract/blog/reading-time';
import { limits } from '@app/contract/limits';
import { describe, expect, test } from 'vitest';
import { pipelineVersion } from './bodies.ts';
import { renderMarkdown as render } from './markdown.ts';

const renderMarkdown = (body: string): string => render(body).html;

test.each([
  [
    '## What it does',
    '<h2 id="h-what-it-does" dir="auto"><a href="#h-what-it-does">What it does</a></h2>\n',
  ],
  ['### In detail', '<h3 id="h-in-detail" dir="auto"><a href="#h-in-detail">In detail</a></h3>\n'],
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
  expect(renderMarkdown('# Shouting')).toMatch(/^<h2 /);
});

test.each([
  '<script>alert(1)</script>',
  'before <img src=x onerror=alert(1)> after',
  '<div style="position:fixed">\n\ntext\n\n</div>',
  '`<b>` and &lt;b&gt;',
  '| <i onclick=x> |\n|---|\n| <svg onload=x> |',
  '![" onerror="alert(1)](https://x.example/a.png)',
  '[a](https://x.example/"onmouseover="alert(1))',
  'https://x.example/"onmouseover="alert(1)',
  '![a](/b "<b onclick=x>\\" onerror=\\"alert(1)")',
  '## <b id="main">" id="main"',
  '```js" onclick="x\n<b>"\n```',
  '```html\n<script>alert(1)</script>\n```',
  '- [x] <b>" checked',
  'a[^"><b>]\n\n[^"><b>]: <img src=x onerror=alert(1)>',
])('shows markup in %j as text', (body) => {
  const tags = renderMarkdown(body).match(/<[a-z][^>]*>/g) ?? [];
  for (const tag of tags) {
    expect(tag).toMatch(
      /^<(?:p dir="auto"|p|code|br|ul dir="auto"|ol|li class="task"|li id="fn-1"|sup|section class="footnotes" role="doc-endnotes" aria-label="Footnotes"|input type="checkbox" disabled checked aria-label="Done"|pre dir="ltr" role="group" aria-label="Code" tabindex="0"|span class="hl-[a-z]+"|figure|figcaption dir="auto"|h2 id="h-[a-z-]+" dir="auto"|a id="fnref-1" href="#fn-1" role="doc-noteref" aria-label="Footnote 1"|a href="#fnref-1" role="doc-backlink" aria-label="Back to the text of footnote 1"|div class="table-frame" role="group" aria-label="Table" tabindex="0"|table dir="auto"|thead|tbody|tr|td|th scope="col"|a href="[^"]*"|img src="[^"]*" alt="[^"]*" loading="lazy")>$/,
    );
  }
});

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  '<java\tscript:alert(1)>',
  'data:text/html,x',
  'vbscript:x',
])('removes the link to %j', (url) => {
  const html = renderMarkdown(`[words](${url})`);
  expect(html).not.toContain('<a');
  expect(html).toContain('words');
});

test.each(['https://x.example/', '/contact', '#top', 'mailto:a@x.example', 'tel:+15550100100'])(
  'keeps the link to %j',
  (url) => {
    expect(renderMarkdown(`[words](${url})`)).toBe(
      `<p dir="auto"><a href="${url}">words</a></p>\n`,
    );
  },
);

test('keeps spaces, and breaks lines where the text does', () => {
  expect(renderMarkdown('a\nb\\\nc\n')).toBe('<p dir="auto">a<br>b<br>c</p>\n');
  expect(renderMarkdown('a  \nb')).toBe('<p dir="auto">a<br>b</p>\n');
  expect(renderMarkdown('a   b   *c*')).toBe('<p dir="auto">a   b   <em>c</em></p>\n');
  expect(renderMarkdown('a   ')).toBe('<p dir="auto">a   </p>\n');
});

test('the output matches the pipeline version', () => {
  const kinds = [
    '# One\n\n## Two\n\nA **bold** _and_ ~~gone~~ `code` [link](/a "t") ![picture](/b).  \nLine.',
    '> quote\n> - item\n>   1. nested\n\n- [ ] open\n- [x] done\n\n---\n\n```js\ncode <b>\n```',
    'a\nb https://b.example/a_b. [^1] ![c](/d "e")\n\n![c](/d "e")\n\n### Two\n### Two\n\n[^1]: Note',
    '| a | b |\n|:-|-:|\n| **1** | `2` |\n| 3 |\n\n<div>text</div> & "quotes" <https://a.example>',
    '![d](/pictures/0123456789abcdef01234567/1600x900.webp)',
    'www.f.example, Www.g.example',
    'これは**「重要」**です',
    '[a](/?b=1&amp;c=2) ![d &amp; *e*](/f?g&amp;h "&lt;") https://i.example/?j&k; \0 ```l``',
    '[![m](/n "o")](/p)',
  ];
  const html = kinds.map(renderMarkdown).join('\n');
  // After a change here, increment pipelineVersion in bodies.ts to render stored bodies again.
  expect([pipelineVersion, hash('sha256', html)]).toEqual([
    9,
    '3c8a5cb2bae757c5dd496fbdefc7126f7e5da2b98ec2b0ddaab0934067d181fd',
  ]);
});

test.each([
  [
    'これは**「重要」**です。これは**重要**です。',
    'これは<strong>「重要」</strong>です。これは<strong>重要</strong>です。',
  ],
  ['**注意：**読む', '<strong>注意：</strong>読む'],
  ['**용어(term)**를', '<strong>용어(term)</strong>를'],
  ['*「重要」*です。__「重要」__です', '<em>「重要」</em>です。<strong>「重要」</strong>です'],
  ['~~「取消」~~です', '<del>「取消」</del>です'],
  ['𠮷**「吉」**𠮷', '𠮷<strong>「吉」</strong>𠮷'],
  ['snake_case_name, a**"b"**c', 'snake_case_name, a**&quot;b&quot;**c'],
])('renders emphasis next to Chinese, Japanese and Korean punctuation: %s', (body, html) => {
  expect(renderMarkdown(body)).toBe(`<p dir="auto">${html}</p>\n`);
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

test.each([
  ['See https://x.example/a_b_c.', 'https://x.example/a_b_c'],
  ['(https://x.example/a(b))', 'https://x.example/a(b)'],
  ['**https://x.example**', 'https://x.example'],
  ['| a |\n|---|\n| HTTP://x.example?a=b&c |', 'HTTP://x.example?a=b&amp;c'],
  ['read\nwww.x.example/a,b, and', 'https://www.x.example/a,b'],
  ['Www.x.example', 'https://Www.x.example'],
  ['WWW.X.EXAMPLE', 'https://WWW.X.EXAMPLE'],
])('links the URL in %j', (body, href) => {
  expect(renderMarkdown(body).match(/<a href="[^"]*">/g)).toEqual([`<a href="${href}">`]);
});

test.each(['ftp://x.example', 'ahttps://x.example', 'https://', 'www.', '`https://x.example`'])(
  'leaves %j as text',
  (body) => {
    expect(renderMarkdown(body)).not.toContain('<a');
  },
);

test('a link whose text is a URL is one link', () => {
  expect(renderMarkdown('[to https://x.example](/a)')).toBe(
    '<p dir="auto"><a href="/a">to https://x.example</a></p>\n',
  );
});

test('checkboxes of a task list have names and states', () => {
  expect(renderMarkdown('- [ ] open\n- [x] **done**')).toBe(
    `<ul dir="auto">
<li class="task"><input type="checkbox" disabled aria-label="To do"> open</li>
<li class="task"><input type="checkbox" disabled checked aria-label="Done"> <strong>done</strong></li>
</ul>
`,
  );
});

test('only pictures stored on this site are responsive', () => {
  const id = '0'.repeat(24);
  const html = renderMarkdown(`![A "wall"](/pictures/${id}/1000x500.webp "Caption")`);
  const at = (size: string) => `/pictures/${id}/${size}`;
  const sizes = 'sizes="(min-width: 50rem) 46rem, calc(100vw - 2.5rem)"';
  expect(html).toBe(
    `<figure><picture><source type="image/avif" srcset="${at('480x240.avif')} 480w, ${at('960x480.avif')} 960w, ${at('1000x500.avif')} 1000w" ${sizes}><img src="${at('1000x500.webp')}" srcset="${at('480x240.webp')} 480w, ${at('960x480.webp')} 960w, ${at('1000x500.webp')} 1000w" ${sizes} alt="A &quot;wall&quot;" width="1000" height="500" loading="lazy" decoding="async"></picture><figcaption dir="auto">Caption</figcaption></figure>\n`,
  );
  for (const path of [
    at('1000x500.avif'),
    at('0x500.webp'),
    at('9999x500.webp'),
    at('1000x9999.webp'),
    at('1000x500.webp?x'),
    `/pictures/${id}0/1000x500.webp`,
    `//elsewhere.example${at('1000x500.webp')}`,
    `https://elsewhere.example${at('1000x500.webp')}`,
  ]) {
    expect(renderMarkdown(`![A](${path})`)).toBe(
      `<p dir="auto"><img src="${path}" alt="A" loading="lazy"></p>\n`,
    );
  }
});

test('images with captions are figures, others stay in their paragraph', () => {
  expect(renderMarkdown('![A](/a "One & two")\n![B](/b)')).toBe(
    `<figure><img src="/a" alt="A" loading="lazy"><figcaption dir="auto">One &amp; two</figcaption></figure>
<figure><img src="/b" alt="B" loading="lazy"></figure>
`,
  );
  for (const body of ['![A](/a)', 'Text ![A](/a "One")', '![A](javascript:x "One")']) {
    expect(renderMarkdown(body)).toMatch(/^<p dir="auto">/);
  }
});

test('an image with a link and a caption is a figure', () => {
  expect(renderMarkdown('[![A](/a "One")](/b)')).toBe(
    '<figure><a href="/b"><img src="/a" alt="A" loading="lazy"></a><figcaption dir="auto">One</figcaption></figure>\n',
  );
});

test.each([
  ['[x](https://e.example/?a=1&amp;b=2)', '<a href="https://e.example/?a=1&amp;b=2">x</a>'],
  ['[x](/a\\&amp;b)', '<a href="/a&amp;amp;b">x</a>'],
  [
    '<https://e.example/?a&amp;b>',
    '<a href="https://e.example/?a&amp;b">https://e.example/?a&amp;b</a>',
  ],
  ['![R&amp;D *x* \\_](/a?b&amp;c)', '<img src="/a?b&amp;c" alt="R&amp;D x _" loading="lazy">'],
  [
    '&copy; &eacute; &#8212; \\&copy; &nosuch; &notit; &copy',
    '© é — &amp;copy; &amp;nosuch; &amp;notit; &amp;copy',
  ],
  ['`&lt;`', '<code>&amp;lt;</code>'],
])('reads the character references in %s', (body, html) => {
  expect(renderMarkdown(body)).toBe(`<p dir="auto">${html}</p>\n`);
});

test('captions are text', () => {
  expect(renderMarkdown('![](/a "&lt;b> &amp; \\"c\\" \\&amp;")')).toContain(
    '&lt;b&gt; &amp; &quot;c&quot; &amp;amp;</figcaption>',
  );
});

test.each([
  ['https://e.example/?a&hl;', '<a href="https://e.example/?a">https://e.example/?a</a>&amp;hl;'],
  [
    'https://e.example/?a&b;c',
    '<a href="https://e.example/?a&amp;b;c">https://e.example/?a&amp;b;c</a>',
  ],
  ['https://e.example/a;', '<a href="https://e.example/a">https://e.example/a</a>;'],
  ['```foo``', '```foo``'],
  ['`` a`', '`` a`'],
  ['a\0b', 'a\uFFFDb'],
])('renders %j as CommonMark and GFM do', (body, html) => {
  expect(renderMarkdown(body)).toBe(`<p dir="auto">${html}</p>\n`);
});

test('a byte order mark does not hide a heading', () => {
  expect(renderMarkdown('\uFEFF## A')).toMatch(/^<h2 /);
});

test('footnotes are at the end, in the order of the text, with links back', () => {
  const html = renderMarkdown(
    'One[^b] two[^a] three[^B].\n\n[^a]: First.\n[^b]: Second,\nlonger[^c].\n\n  More.\n[^c]: Third.\n[^d]: Unused.\n\nEnd[^e].',
  );
  expect(html.match(/ (?:id|href)="#?fn[^"]*"/g)).toEqual([
    ' id="fnref-1"',
    ' href="#fn-1"',
    ' id="fnref-2"',
    ' href="#fn-2"',
    ' id="fnref-1-2"',
    ' href="#fn-1"',
    ' id="fn-1"',
    ' id="fnref-3"',
    ' href="#fn-3"',
    ' href="#fnref-1"',
    ' href="#fnref-1-2"',
    ' id="fn-2"',
    ' href="#fnref-2"',
    ' id="fn-3"',
    ' href="#fnref-3"',
  ]);
  expect(html).toContain('Second,<br>longer<sup>');
  expect(html).toContain('<p dir="auto">More. <a href="#fnref-1"');
  expect(html).toContain('<p dir="auto">End[^e].</p>');
  expect(html).not.toContain('Unused');
});

test('renders footnotes that refer to themselves and to each other once', () => {
  const html = renderMarkdown('[^a]\n\n[^a]: A[^a][^b]\n[^b]: B[^a]');
  expect(html.match(/<li id="[^"]*"/g)).toEqual(['<li id="fn-1"', '<li id="fn-2"']);
  expect(html.match(/href="#fnref-1[^"]*"/g)).toHaveLength(3);
});

test('heading ids can be in any script, are unique, and differ from those of the page', () => {
  const titles = [
    "Don't *wait*: `call`!",
    '水道 修理',
    'main',
    'main',
    'main 2',
    '?!',
    'a'.repeat(90),
  ];
  const html = renderMarkdown(titles.map((title) => `## ${title}`).join('\n'));
  expect(html.match(/(?<=<h2 id=")[^"]*/g)).toEqual([
    'h-dont-wait-call',
    'h-水道-修理',
    'h-main',
    'h-main-2',
    'h-main-2-2',
    'h-section',
    `h-${'a'.repeat(60)}`,
  ]);
});

test('a heading that contains a link does not become a link', () => {
  expect(renderMarkdown('## See [a](/b)')).toBe(
    '<h2 id="h-see-a" dir="auto">See <a href="/b">a</a></h2>\n',
  );
});

test('code has a class for each kind of token', () => {
  expect(renderMarkdown('```js\nreturn "<b>" // so\n```')).toBe(
    '<pre dir="ltr" role="group" aria-label="Code" tabindex="0"><code><span class="hl-keyword">return</span> <span class="hl-string">&quot;&lt;b&gt;&quot;</span> <span class="hl-comment">// so</span>\n</code></pre>\n',
  );
});

test.each(['', 'text', 'unknown', 'constructor', '__proto__'])(
  'does not highlight code in the language %j',
  (language) => {
    expect(renderMarkdown(`\`\`\`${language}\nreturn 1\n\`\`\``)).not.toContain('<span');
  },
);

test('does not highlight code beyond the limit of a post', () => {
  const block = `\`\`\`js\n${'return 1\n'.repeat(limits.highlightedCode / 18)}\`\`\`\n`;
  const blocks = renderMarkdown(block.repeat(3)).split('</pre>');
  expect(blocks.map((html) => html.includes('<span'))).toEqual([true, true, false, false]);
});

describe('the table of contents', () => {
  const outlineOf = (body: string) => render(body).outlineHtml;

  test('nests headings of the third level', () => {
    expect(
      outlineOf('### Zero\n# One\n## A & B <b> &amp;\n### `Two`\n### Three\n#### Deep\n## Four'),
    ).toBe(
      '<ol><li><a href="#h-zero">Zero</a></li><li><a href="#h-one">One</a></li><li><a href="#h-a-b-b">A &amp; B &lt;b&gt; &amp;</a><ol><li><a href="#h-two">Two</a></li><li><a href="#h-three">Three</a></li></ol></li><li><a href="#h-four">Four</a></li></ol>',
    );
  });

  test('can end with a nested heading', () => {
    expect(outlineOf('## A\n## B\n## C\n### D')).toMatch(
      /C<\/a><ol><li>.*D<\/a><\/li><\/ol><\/li><\/ol>$/,
    );
  });

  test('requires four headings outside quotes, lists and notes', () => {
    expect(outlineOf('## A\n## B\n## C')).toBeNull();
    expect(outlineOf('## A\n## B\n## C\n> ## D\n\n- ## E\n\na[^1]\n\n[^1]: ## F')).toBeNull();
  });

  test('omits the third level when it is long', () => {
    expect(outlineOf(`## A\n## B\n## C\n## D\n${'### E\n'.repeat(100)}`)).not.toContain('E</a>');
    expect(outlineOf('## A\n'.repeat(101))).toBeNull();
  });
});

test('counts the words that readers see, like the editor', () => {
  const markdown = '## A title\n\nSome [words](https://x.example/not-these).\n\n```\nnot this\n```';
  expect([render(markdown).words, countMarkdownWords(markdown)]).toEqual([4, 4]);
});

test.each([
  ['Text, **bold** and a [link](/a).\n\n## A\n\n> b\n\n- c', false],
  ['```\ncode\n```', true],
  ['- [ ] task', true],
  ['| a |\n|---|', true],
  ['![a](/b "c")', true],
  ['a[^1]\n\n[^1]: b', true],
])('detects whether %j needs more styles', (body, isRich) => {
  expect(render(body).isRich).toBe(isRich);
});
