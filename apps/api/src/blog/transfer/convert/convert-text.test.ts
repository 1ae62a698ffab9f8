import { contentProblems } from '@app/contract/blog/post-content';
import { limits } from '@app/contract/limits';
import { describe, expect, test } from 'vitest';
import type { TextFormat } from '../source.ts';
import { convertText } from './convert-text.ts';

function convert(format: TextFormat, text: string): { markdown: string; notes: string[] } {
  const converted = convertText({ format, text });
  if ('problem' in converted) throw new Error(converted.problem);
  const { markdown, notes } = converted;
  return { markdown, notes };
}

const markdownOf = (format: TextFormat, text: string): string => convert(format, text).markdown;

describe('HTML', () => {
  test.each([
    [
      '<h2>Title</h2><p>Some <strong>bold</strong>, <em>italic</em> text<br>on two lines.</p>',
      '## Title\n\nSome **bold**, *italic* text\non two lines.',
    ],
    ['<ul><li>One</li><li>Two<ol><li>Inner</li></ol></li></ul>', '- One\n- Two\n  1. Inner'],
    [
      '<p><a href="https://example.com/a b">A <b>link</b></a></p>',
      '[A **link**](https://example.com/a%20b)',
    ],
    ['<a href="/about">About</a>', '[About](/about)'],
    ['<p>my_kit: https://example.com/my_kit_a</p>', 'my_kit: https://example.com/my_kit_a'],
    [
      '<figure><img src="https://example.com/a.png" alt="A [cat]"><figcaption>The "cat"</figcaption></figure>',
      '![A \\[cat\\]](https://example.com/a.png "The \\"cat\\"")',
    ],
    [
      '<pre class="wp-block-code"><code class="language-js">let a = `b`;\n</code></pre>',
      '```js\nlet a = `b`;\n```',
    ],
    ['<pre>```\ncode\n```</pre>', '````\n```\ncode\n```\n````'],
    [
      '<table><thead><tr><th>A</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>',
      '| A |\n| --- |\n| 1 |',
    ],
    ['<ul><li><label><input type="checkbox" checked> Done</label></li></ul>', '- [x] Done'],
    [
      '<ul><li><p>One</p></li><ul><li>Inner</li></ul><li><p>Two</p></li></ul>',
      '- One\n  - Inner\n- Two',
    ],
    ['<b>Big</b><strong>Red</strong> <i>a</i><em>b</em>', '**BigRed** *ab*'],
    ['<b><i>a</i></b><span><b><i>b</i></b></span>', '**_ab_**'],
    ['<p>~~x~~ and &amp;nbsp;</p>', '\\~\\~x\\~\\~ and \\&nbsp;'],
    ['<pre>a<br>b</pre>', '```\na\nb\n```'],
    ['<div class="highlight-source-js"><pre>a</pre></div>', '```js\na\n```'],
    ['<dl><dt>Term</dt><dd>Meaning</dd></dl>', '**Term**\nMeaning'],
    ['<p>Write to <ann@example.com> or <a(b)></p>', 'Write to \\<ann@example.com> or \\<a(b)>'],
    ['<p>1 &lt; 2 &amp; *stars*</p>', '1 < 2 & \\*stars\\*'],
  ])('becomes Markdown: %s', (html, markdown) => {
    expect(convert('html', html)).toEqual({ markdown, notes: [] });
  });

  test.each([
    [
      'without a head',
      '<table><tr><td><p>Name</p></td><td>Price</td></tr><tr><td>Betty</td><td>1</td></tr></table>',
      '| Name | Price |\n| --- | --- |\n| Betty | 1 |',
    ],
    [
      'with blocks in a cell',
      '<table><tr><td>A</td><td align="right">B</td></tr><tr><td>x<br>y</td><td><p>1</p><p>2</p></td></tr><tr><td><ul><li>a</li><li>b</li></ul></td><td><pre>c\nd</pre></td></tr></table>',
      '| A | B |\n| --- | --: |\n| x y | 1 2 |\n| • a • b | `c d` |',
    ],
    [
      'with bars',
      '<table><tr><td>a | b</td></tr><tr><td>c \\| <code>d|e</code></td></tr></table>',
      '| a \\| b |\n| --- |\n| c \\\\\\| `d\\|e` |',
    ],
    [
      'with cells across columns and rows',
      '<table><tr><td colspan="2">A</td></tr><tr><td rowspan="2">a</td><td>b</td></tr><tr><td>c</td></tr><tr><td>d</td><td>e</td><td>f</td></tr></table>',
      '| A |  |  |\n| --- | --- | --- |\n| a | b |  |\n|  | c |  |\n| d | e | f |',
    ],
    [
      'with a caption',
      '<table><caption>C</caption><thead><tr><th>A</th><th>B</th></tr></thead></table>',
      'C\n\n| A | B |\n| --- | --- |',
    ],
    ['for layout', '<table><tr><td><h2>A</h2></td><td><p>b</p></td></tr></table>', '## A\n\nb'],
    [
      'for layout, with an inner one',
      '<table><tr><td>A</td><td>B</td></tr><tr><td>c</td><td><table><tr><td>1</td><td>2</td></tr></table></td></tr></table>',
      'A\n\nB\n\nc\n\n| 1 | 2 |\n| --- | --- |',
    ],
  ])('a table %s', (_, html, markdown) => {
    expect(convert('html', html)).toEqual({ markdown, notes: [] });
  });

  test('fills tables with no more cells than a post can have', () => {
    const html = `<table>${'<tr><td colspan="50" rowspan="50">a</td></tr>'.repeat(1000)}</table>`;
    expect(markdownOf('html', html).length).toBeLessThan(limits.tableCells * 8);
  });

  test.each([
    [
      '<details><summary>More</summary>text</details>',
      'More\n\ntext',
      'Markdown has no <details>: its text stays.',
    ],
    ['<p>a<script>alert(1)</script></p>', 'a', '<script> is left out.'],
    ['<a href="javascript:alert(1)">a</a>', 'a', 'A link with another protocol lost its target.'],
    ['<img src="data:image/png;base64,AA">', '', 'A picture without an http(s) URL is left out.'],
    [
      '<iframe src="//video.example/1"></iframe>',
      'https://video.example/1',
      '<iframe> became a link.',
    ],
    ['<form><input name="q"></form>b', 'b', 'A form is left out.'],
    ['H<sub>2</sub>O', 'H2O', 'Markdown has no <sub>: its text stays.'],
  ])('%s is changed with a note', (html, markdown, note) => {
    expect(convert('html', html)).toEqual({ markdown, notes: [note] });
  });

  test('says when it is nested too deeply', () => {
    const converted = convertText({ format: 'html', text: '<b><i>'.repeat(100_000) });
    expect(converted).toEqual({ problem: 'its elements are nested too deeply' });
  });
});

describe('WordPress', () => {
  test('block comments disappear', () => {
    const text =
      '<!-- wp:paragraph {"a":1} -->\n<p>One</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:separator -->\n<hr>\n<!-- /wp:separator -->';
    expect(markdownOf('wordpress', text)).toBe('One\n\n---');
  });

  test('empty lines are paragraphs, line breaks stay', () => {
    expect(markdownOf('wordpress', 'One\ntwo\n\n<b>Three</b>\n\n<pre>a\n\nb</pre>')).toBe(
      'One\ntwo\n\n**Three**\n\n```\na\n\nb\n```',
    );
  });

  test('starts a new paragraph after the teaser', () => {
    expect(markdownOf('wordpress', 'Intro<!--more-->rest')).toBe('Intro\n\nrest');
  });

  test('converts captions and embedded pages, and keeps other shortcodes as text', () => {
    const text =
      '[caption id="1" align="left"]<a href="https://example.com"><img src="https://example.com/a.png" alt="A" /></a> What it is[/caption]\n\n[embed]https://video.example/1[/embed]\n\n[gallery ids="1,2"]';
    expect(convert('wordpress', text)).toEqual({
      markdown:
        '[![A](https://example.com/a.png "What it is")](https://example.com)\n\nhttps://video.example/1\n\n\\[gallery ids="1,2"]',
      notes: ['[embed] became a link.', 'The shortcode [gallery] stays as text.'],
    });
  });
});

describe('Markdown', () => {
  test.each([
    ['plain *text*\n\n- list', 'plain *text*\n\n- list'],
    ['{{< figure src="/a.png" alt="A" caption="The b" >}}', '![A](/a.png "The b")'],
    ['{% highlight ruby linenos %}\nputs 1\n{% endhighlight %}', '```ruby\nputs 1\n```'],
    ['{{< highlight go "linenos=true" >}}\nvar a\n{{< /highlight >}}', '```go\nvar a\n```'],
    ['[a]({% post_url 2020-01-31-my-post %})', '[a](/blog/my-post)'],
    ['![a]({{ site.baseurl }}/b.png)', '![a](/b.png)'],
    ['```html\n<b>{{ code }}</b>\n```', '```html\n<b>{{ code }}</b>\n```'],
    ['Use `<b>` and `{{ x }}`', 'Use `<b>` and `{{ x }}`'],
    [
      'A <b>bold</b> line<br>and <a href="https://example.com">a link</a>',
      'A **bold** line\nand [a link](https://example.com)',
    ],
    ['A List<String> of <T>', 'A List\\<String> of \\<T>'],
    [
      '<figure><img src="https://example.com/a.png"><figcaption>C</figcaption></figure>\n\ntext',
      '![](https://example.com/a.png "C")\n\ntext',
    ],
    ['a\n\n<!-- more -->\n\nb', 'a\n\nb'],
    ['a<!--more-->b', 'a\n\nb'],
    ['- a\n\n  ```html\n  <br>\n  ```', '- a\n\n  ```html\n  <br>\n  ```'],
    ['Text [^1] and [x]\n\n[^1]: Note', 'Text [^1] and \\[x]\n\n[^1]: Note'],
    [
      'The [docs][1], [Home][], [ABOUT] and `[a][1]`\n\n[1]: https://docs.example/a_(b) "D"\n[home]: </a b>\n[about]: /about',
      'The [docs](https://docs.example/a_%28b%29), [Home](/a%20b), [ABOUT](/about) and `[a][1]`',
    ],
    ['> [![Cat][cat]][1]\n\n[cat]: /cat.png\n[1]: /', '> [![Cat](/cat.png)](/)'],
    [
      'a[^1]\n\n[^1]: See [b].\n\n    More [b].\n\n[b]: /b',
      'a[^1]\n\n[^1]: See [b](/b).\n\n    More [b](/b).',
    ],
    ['Title\n=====\n\ntext', '# Title\n\ntext'],
    ['> Two\n> lines\n> ---', '> ## Two lines'],
    ['Run:\n\n    a = `<b>`\n\n      b\n\nDone', 'Run:\n\n```\na = `<b>`\n\n  b\n```\n\nDone'],
    ['1. a\n\n\t\tb\n', '1. a\n\n   ```\n    b\n   ```'],
    ['> -     ```\n>       b', '> - ````\n>   ```\n>   b\n>   ````'],
    ['a[^1]\n\n[^1]: Note\n\n    More', 'a[^1]\n\n[^1]: Note\n\n    More'],
  ])('converts Markdown of other systems: %s', (text, markdown) => {
    expect(convert('markdown', text)).toEqual({ markdown, notes: [] });
  });

  test.each([
    [
      '{{< youtube abc123 >}}',
      'https://www.youtube.com/watch?v=abc123',
      'The template tag "youtube" became a link.',
    ],
    [
      '{% include note.html %}',
      '{% include note.html %}',
      'The template tag "include" stays as text.',
    ],
    ['import A from "./a.astro";\n\nText', 'Text', 'Imports and exports of MDX are left out.'],
    ['a<sup>2</sup>', 'a2', 'Markdown has no <sup>: its text stays.'],
  ])('%s is changed with a note', (text, markdown, note) => {
    expect(convert('markdown', text)).toEqual({ markdown, notes: [note] });
  });
});

test('treats indented lines of MDX as text', () => {
  expect(convert('mdx', 'One\n\n    [a]\n\n[a]: /b')).toEqual({
    markdown: 'One\n\n[a](/b)',
    notes: [],
  });
});

test('rejects a text that repeats a long URL many times', () => {
  const text = `${'[a] '.repeat(1000)}\n\n[a]: /${'b'.repeat(50_000)}`;
  expect(convertText({ format: 'markdown', text })).toEqual({
    problem: 'it cannot be read (its links are too long)',
  });
});

test('rejects a small text with a huge table', () => {
  const columns = 2_000;
  const text = `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${'|a|\n'.repeat(500)}`;
  expect(convertText({ format: 'markdown', text })).toEqual({
    problem: `it cannot be read (${contentProblems.tableCells})`,
  });
});

test('replaces the URLs of pictures, except in code', () => {
  const text =
    '![a\\](b)](/a.png "c") ![](/a.png) [x](/a.png) `![a](/a.png)`\n\n```\n![](/a.png)\n```';
  expect(convertText({ format: 'exact', text, paths: { '/a.png': '/b.webp' } })).toEqual({
    markdown:
      '![a\\](b)](/b.webp "c") ![](/b.webp) [x](/a.png) `![a](/a.png)`\n\n```\n![](/a.png)\n```',
    notes: [],
    images: ['/b.webp'],
  });
});

describe('nothing vanishes', () => {
  test.each([
    ['<a href="/u"><div>One</div><div>two</div></a>', '[One](/u)\n\n[two](/u)'],
    ['<a href="/u"><h3>T</h3><img src="/a.png"></a>', '### [T](/u)\n\n[![](/a.png)](/u)'],
    ['<figure><a href="/u"><img src="/a.png"></a></figure>', '[![](/a.png)](/u)'],
    ['<figure><img src="/a.png"><p>Words</p></figure>', '![](/a.png)\n\nWords'],
    [
      '<figure><img src="/a.png"><figcaption>By <a href="/u">Ann</a></figcaption></figure>',
      '![](/a.png)\n\nBy [Ann](/u)',
    ],
    ['<strong><p>a</p><ul><li>b</li></ul></strong>', '**a**\n\n- **b**'],
    ['<p>2020.</p><p>#</p><p>-</p><p>+ a</p>', '2020\\.\n\n\\#\n\n\\-\n\n\\+ a'],
    ['<h2>a<br>b</h2>', '## a b'],
    ['<figure><img src="/a.png"><figcaption>a<br>b</figcaption></figure>', '![](/a.png "a b")'],
    [
      '<figure><img src="/a.png"><figcaption><p>a</p><p>b</p></figcaption></figure>',
      '![](/a.png "a b")',
    ],
    ['<ruby>a<rp>(</rp><rt>b</rt><rp>)</rp></ruby>', 'a(b)'],
    ['<ol><li>a</li></ol><ol><li>b</li></ol>', '1. a\n\n1) b'],
    ['<img src="data:image/gif;base64,AA" data-src="/a.png">', '![](/a.png)'],
    ['<base href="https://a.example/b/"><a href="c">d</a>', '[d](https://a.example/b/c)'],
  ])('%s', (html, markdown) => {
    expect(markdownOf('html', html)).toBe(markdown);
  });

  test('a bookmark keeps its link and its description', () => {
    const html =
      '<figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="https://e.example"><div class="kg-bookmark-content"><div class="kg-bookmark-title">Title</div><div class="kg-bookmark-description">About it</div><div class="kg-bookmark-metadata"><img class="kg-bookmark-icon" src="https://e.example/i.png"><span class="kg-bookmark-publisher">E</span></div></div></a></figure>';
    expect(convert('html', html)).toEqual({
      markdown: '[Title](https://e.example)\nAbout it\nE',
      notes: ['The pictures of a bookmark are left out.'],
    });
  });
});

test.each([
  '<a href="/u"><pre>a</pre></a>',
  '<a href="/u"><div><button>Copy</button><pre>a</pre></div></a>',
])('notes that code cannot have a link: %s', (html) => {
  expect(convert('html', html)).toEqual({
    markdown: '```\na\n```',
    notes: ['A link around code lost its target.'],
  });
});

describe('styles', () => {
  test.each([
    ['<span style="text-decoration:line-through">a</span>', '~~a~~'],
    ['<em style="font-style:normal">a</em>', 'a'],
    ['<b style="font-weight:normal">a <span style="font-weight:700">b</span></b>', 'a **b**'],
    ['<b>a <span style="font-weight:400">b</span></b>', '**a** b'],
    ['<p>a<span style="display:none">b</span></p>', 'a'],
  ])('%s', (html, markdown) => {
    expect(markdownOf('html', html)).toBe(markdown);
  });
});

test.each([
  '<img alt="😀" src="https://e.example/1.png">',
  '<img alt=":grinning:" data-stringify-emoji=":grinning:" src="https://a.slack-edge.com/1f600@2x.png">',
  '<img class="emoji" src="https://s.w.org/images/core/emoji/15/svg/1f600.svg">',
])('%s becomes an emoji', (html) => {
  expect(markdownOf('html', `a ${html}`)).toBe('a 😀');
});

describe('code without what is around it', () => {
  test.each([
    [
      'a header in the block',
      '<pre><div>python<button>Copy</button></div><div><code class="language-python">a\nb</code></div></pre>',
    ],
    [
      'a header above the block',
      '<div><div><span>Python</span><button>Copy</button></div><div><pre><code>a\nb</code></pre></div></div>',
    ],
    [
      'a header in an element of its own',
      '<code-block><div class="header"><span>Python</span><button>Copy</button></div><pre><code>a\nb</code></pre></code-block>',
    ],
    [
      'line numbers in a column',
      '<table><tr><td class="gutter"><pre class="lineno">1\n2\n</pre></td><td class="code"><pre class="language-python">a\nb\n</pre></td></tr></table>',
    ],
    [
      'line numbers in each line',
      '<pre class="chroma"><code class="language-python"><span class="ln">1</span>a\n<span class="ln">2</span>b\n</code></pre>',
    ],
    [
      'rows of lines',
      '<table class="hljs-ln language-python"><tr><td class="hljs-ln-numbers" data-line-number="1"></td><td>a</td></tr><tr><td class="hljs-ln-numbers" data-line-number="2"></td><td>b</td></tr></table>',
    ],
  ])('%s', (_, html) => {
    expect(markdownOf('html', html)).toBe('```python\na\nb\n```');
  });
});

test.each([
  ['<h3>Ingredients</h3>\n1 cup flour\n2 eggs', '### Ingredients\n\n1 cup flour\n2 eggs'],
  ['Steps:\n<ol>\n<li>a</li>\n<li>b</li>\n</ol>\nDone\nnow', 'Steps:\n\n1. a\n2. b\n\nDone\nnow'],
  ['<blockquote>a\nb\n\nc</blockquote>', '> a\n> b\n>\n> c'],
  ['<div>a\nb</div><address>c\nd</address>', 'a\nb\n\nc\nd'],
  ['[code lang="js"]a\n\n<b> &lt;i>[/code]', '```js\na\n\n<b> <i>\n```'],
  ['[sourcecode language="js"]a[/sourcecode]b', '```js\na\n```\n\nb'],
  ['[php]\n<?php\n  a();\n[/php]', '```php\n<?php\n  a();\n```'],
  ['[PHP title="x"]a[/PHP]', '```php\na\n```'],
  ['[code]a[/code]', '```\na\n```'],
  ['a<br />\nb\n\n<em>c\n\nd</em>', 'a\nb\n\n*c*\n\n*d*'],
])('breaks the lines of WordPress as WordPress does: %j', (text, markdown) => {
  expect(markdownOf('wordpress', text)).toBe(markdown);
});

test.each([
  ['one\ntwo  \nthree', 'one two\nthree'],
  ['<a href="/u"><strong>guide</strong></a>', '[**guide**](/u)'],
  ['<code>List&lt;String&gt;</code>', '`List<String>`'],
  ['| a | b |\n|-|-|\n| 9-12<br>13-17 | x |', '| a | b |\n| --- | --- |\n| 9-12 13-17 | x |'],
  ['\\<b>', '\\<b>'],
  ['[x](https://e.example/?a=1&amp;b=2){:target="_blank"}', '[x](https://e.example/?a=1&b=2)'],
  ['## A {#id}\n\nb\n{: .c}', '## A\n\nb'],
])('reads Markdown as other systems do: %j', (text, markdown) => {
  expect(convert('markdown', text)).toEqual({ markdown, notes: [] });
});

test.each([
  ['spaces in elements', '<b> </b>'.repeat(100_000), ''],
  ['URLs in a text', 'https://e.example/a '.repeat(50_000), 'https://e.example/a '.repeat(50_000)],
  ['comments between texts', 'a<!-- -->'.repeat(100_000), 'a'.repeat(100_000)],
])('takes time in proportion to the number of %s', { timeout: 10_000 }, (_, html, markdown) => {
  expect(markdownOf('html', html)).toBe(markdown.trim());
});

test('rejects Markdown that is nested too deeply', () => {
  expect(convertText({ format: 'markdown', text: `${'> '.repeat(2_000)}a` })).toEqual({
    problem: 'its elements are nested too deeply',
  });
});
