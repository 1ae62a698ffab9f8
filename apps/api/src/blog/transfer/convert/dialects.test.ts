import { expect, test } from 'vitest';
import type { TextFormat } from '../source.ts';
import { convertText } from './convert-text.ts';

function convert(format: TextFormat, text: string) {
  const result = convertText({ format, text });
  if ('problem' in result) throw new Error(result.problem);
  return result;
}

const mdx: [text: string, markdown: string, notes: string[]][] = [
  ['One {/* c */} two', 'One two', []],
  ['{/* c */}\n\nOne', 'One', []],
  ['{/*\nlong\n\ncomment\n*/}\n\nOne', 'One', []],
  ['One <!-- c --> two', 'One two', []],
  ['One{" "}two {\'three\'} {4} {`five`}', 'One two three 4 five', []],
  [
    '`{/* code */}`\n\n```js\n<!-- {code} -->\n```',
    '`{/* code */}`\n\n```js\n<!-- {code} -->\n```',
    [],
  ],
  [
    "import A from './a'\nimport {\n  B,\n} from './b'\n\nOne",
    'One',
    ['Imports and exports of MDX are left out.'],
  ],
  ['export const a = {\n\n  b: 1,\n}\n\nOne', 'One', ['Imports and exports of MDX are left out.']],
  ['One {props.a}', 'One', ['The expression {props.a} is left out.']],
  ['{show && <Secret />}\n\nOne', 'One', ['The expression {show && <Secret />} is left out.']],
  [
    '<Callout type="info">\n  Some **words**\n\n  - a\n</Callout>',
    'Some **words**\n\n- a',
    ['<Callout> is left out, its text stays.'],
  ],
  [
    '<Callout title="Mind">Some *words*</Callout>',
    '**Mind** Some *words*',
    ['<Callout> is left out, its text stays.'],
  ],
  [
    '<Tabs>\n<Tab label="A">\none\n</Tab>\n</Tabs>',
    '**A**\n\none',
    ['<Tab> is left out, its text stays.', '<Tabs> is left out, its text stays.'],
  ],
  ['<Chart data={data} />\n\nOne', 'One', ['<Chart> is left out.']],
  ['<Image src="/a.png" alt="A" />', '![A](/a.png)', []],
  [
    '<Image src={hero} alt="A" />',
    '**A**',
    ['The expression {hero} is left out.', '<Image> is left out, its text stays.'],
  ],
  ['<img src={`/a.png`} alt={"A"} />', '![A](/a.png)', []],
  ['<img src={a.b} />\n\nOne', 'One', ['The expression {a.b} is left out.']],
  ['<a href={url}>One</a>', 'One', ['The expression {url} is left out.']],
  ['<video {...props} />', '', ['The expression {...props} is left out.', '<video> is left out.']],
  ['<YouTube id="abc" />', 'https://www.youtube.com/watch?v=abc', ['<YouTube> became a link.']],
  ['<LinkCard title="Go" href="/x" />', '[Go](/x)', ['<LinkCard> became a link.']],
  ['See <Link to="/x">it *now*</Link>.', 'See [it *now*](/x).', ['<Link> became a link.']],
  ['<div className="a">*b*</div>', '*b*', []],
  ['a <b>b</b> <a href="/c">c</a> <br />', 'a **b** [c](/c)', []],
  ['<>One</>', 'One', []],
  ['2 < 3', '2 < 3', []],
  ['<div hidden>secret</div>\n\nOne', 'One', ['A hidden part is left out.']],
  ["<p style={{display: 'none'}}>secret</p>\n\nOne", 'One', ['A hidden part is left out.']],
  ['One <Note hidden={true}>secret</Note>two', 'One two', ['A hidden part is left out.']],
  ['<p style="visibility: hidden">secret</p>\n\nOne', 'One', ['A hidden part is left out.']],
  ['<p hidden={false}>One</p>', 'One', []],
  [
    ':::tip Title\n\nOne\n\n:::',
    '**Title**\n\nOne',
    ['The frame of ::: tip is left out, its text stays.'],
  ],
];

test.each(mdx)('converts MDX: %s', (text, markdown, notes) => {
  expect(convert('mdx', text)).toMatchObject({ markdown, notes });
});

test('reads a text that is not valid MDX as Markdown', () => {
  const { markdown, notes } = convert('mdx', '**One** {two\n\n<Three>\n\nfour');
  expect(markdown).toContain('**One** {two');
  expect(markdown).toContain('four');
  expect(notes).toEqual([
    expect.stringMatching(/^It is not valid MDX, so it was read as Markdown/),
  ]);
});

const templates: [text: string, markdown: string, notes: string[]][] = [
  ['[a](/b){:target="_blank"}', '[a](/b)', []],
  ['[a](/b){: .c #d}, e', '[a](/b), e', []],
  ['![a](/b.png){: width="200"}', '![a](/b.png)', []],
  ['One\n{: .class}\n\nTwo', 'One\n\nTwo', []],
  ['## Head {#id}', '## Head', []],
  ['One\n\n{::comment}\nhidden\n\nmore\n{:/comment}\n\nTwo', 'One\n\nTwo', []],
  ['{::options parse_block_html="true" /}\n\nOne', 'One', []],
  ['* TOC\n{:toc}\n\nOne', 'One', ['A table of contents is left out.']],
  ['[[toc]]\n\nOne', 'One', ['A table of contents is left out.']],
  ['The HTML\n\n*[HTML]: Hyper', 'The HTML', ['The explanations of abbreviations are left out.']],
  ['One {% comment %}hidden{% endcomment %}two', 'One two', []],
  ['One\n\n{%- comment -%}\n```\nhidden\n```\n{%- endcomment -%}\n\nTwo', 'One\n\nTwo', []],
  ['One {# hidden\n\ntoo #}two', 'One two', []],
  ['One {%- # hidden -%}two', 'One two', []],
  ['One <span hidden>secret</span>two', 'One two', []],
  ['One <i style="color:red;visibility:hidden">secret</i>two', 'One two', []],
  ['One <template>secret</template>two', 'One two', []],
  ['One\n\n{{< comment >}}hidden{{< /comment >}}\n\nTwo', 'One\n\nTwo', []],
  ['{% raw %}{a}{% endraw %}', '{a}', []],
  ['{% highlight js %}\nlet a;\n{% endhighlight %}', '```js\nlet a;\n```', []],
  ['{% codeblock lang:js %}\nlet a;\n{% endcodeblock %}', '```js\nlet a;\n```', []],
  ['![a]({{ site.url }}/b.png)', '![a](/b.png)', []],
  ['[a]({{ "/b" | relative_url }})', '[a](/b)', []],
  ["[a]({{ '/b' | absolute_url }})", '[a](/b)', []],
  ['[a]({% post_url 2020-01-31-b %})', '[a](/blog/b)', []],
  ['[a]({% link _posts/2020-01-31-b.md %})', '[a](/blog/b)', []],
  ['{% include figure.html src="/a.png" alt="A" caption="The A" %}', '![A](/a.png "The A")', []],
  [
    '{% include youtube.html id="abc" %}',
    'https://www.youtube.com/watch?v=abc',
    ['The template tag "youtube" became a link.'],
  ],
  ['{% img left /a.png 20 10 "An A" %}', '![An A](/a.png)', []],
  ['{% asset_img a.png An %}', '![An](a.png)', []],
  [
    '{% youtube abc %}',
    'https://www.youtube.com/watch?v=abc',
    ['The template tag "youtube" became a link.'],
  ],
  [
    '{{< youtube id="abc" autoplay="true" >}}',
    'https://www.youtube.com/watch?v=abc',
    ['The template tag "youtube" became a link.'],
  ],
  [
    '{{< gist ann 123 >}}',
    'https://gist.github.com/ann/123',
    ['The template tag "gist" became a link.'],
  ],
  [
    '{{< tweet user="ann" id="123" >}}',
    'https://twitter.com/i/status/123',
    ['The template tag "tweet" became a link.'],
  ],
  ['{{< figure src="/a.png" title="A" >}}', '![](/a.png "A")', []],
  ['{{< img src="/a.png" alt="A" />}}', '![A](/a.png)', []],
  ['{{% notice tip %}}\nOne\n{{% /notice %}}', 'One', ['The template tag "notice" stays as text.']],
  ['{% include a.html %}\n\nOne', 'One', ['The template tag "include" stays as text.']],
  ['{{ page.title }}', 'page.title', ['The template tag "page.title" stays as text.']],
  ['Write `{{</* figure */>}}` or {{</* figure */>}}', '{{< figure >}}', []],
  [':::note\nOne\n:::', 'One', ['The frame of ::: note is left out, its text stays.']],
  ['> [!NOTE]\n> One', '> **Note**\n>\n> One', []],
];

test.each(templates)('converts templates: %s', (text, markdown, notes) => {
  const converted = convert('markdown', text);
  expect(converted.notes).toEqual(notes);
  // What stays as text is escaped.
  if (notes.some((note) => note.includes('stays as text')) || text.includes('</*')) {
    expect(converted.markdown).toContain(markdown);
  } else expect(converted.markdown).toBe(markdown);
});

test.each(['markdown', 'mdx', 'html', 'wordpress'] as const)(
  'completes //example.com in %s',
  (format) => {
    const html = '<img src="//example.com/a.png" alt="A" /> <a href="//example.com/b">b</a>';
    const { markdown } = convert(format, html);
    expect(markdown).toBe('![A](https://example.com/a.png) [b](https://example.com/b)');
  },
);

test('completes //example.com in Markdown', () => {
  const { markdown } = convert('markdown', '![A](//example.com/a.png) [b](//example.com/b)');
  expect(markdown).toBe('![A](https://example.com/a.png) [b](https://example.com/b)');
});
