import { escapeHtml } from '../rendering/escape-html.ts';

type Node = Readonly<Record<string, unknown>>;

const maxDepth = 200;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const escaped = (value: unknown): string => escapeHtml(text(value));

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** The bits of `format`. */
const formats = [
  ['strong', 1],
  ['em', 2],
  ['s', 4],
  ['u', 8],
  ['code', 16],
  ['sub', 32],
  ['sup', 64],
] as const;

function textHtml(node: Node): string {
  const format = Number(node['format']) || 0;
  return formats.reduce(
    (html, [name, bit]) => (format & bit ? `<${name}>${html}</${name}>` : html),
    escaped(node['text']),
  );
}

const figure = (node: Node): string =>
  `<figure><img src="${escaped(node['src'])}" alt="${escaped(node['alt'])}"><figcaption>${text(node['caption'])}</figcaption></figure>`;

const link = (url: unknown, label: unknown): string =>
  `<p><a href="${escaped(url)}">${escaped(label) || escaped(url)}</a></p>`;

function bookmark(node: Node): string {
  const { title } = isNode(node['metadata']) ? node['metadata'] : {};
  return link(node['url'], title);
}

const gallery = (node: Node): string =>
  (Array.isArray(node['images']) ? node['images'] : []).filter(isNode).map(figure).join('');

/** Ghost's cards and Lexical's elements. */
const elements: Readonly<Record<string, (node: Node, children: string) => string>> = {
  text: textHtml,
  linebreak: () => '<br>',
  paragraph: (_, children) => `<p>${children}</p>`,
  heading: ({ tag }, children) => {
    const name = /^h[1-6]$/.test(text(tag)) ? text(tag) : 'h2';
    return `<${name}>${children}</${name}>`;
  },
  quote: (_, children) => `<blockquote>${children}</blockquote>`,
  aside: (_, children) => `<blockquote>${children}</blockquote>`,
  list: ({ listType }, children) =>
    listType === 'number' ? `<ol>${children}</ol>` : `<ul>${children}</ul>`,
  listitem: (_, children) => `<li>${children}</li>`,
  link: ({ url }, children) => `<a href="${escaped(url)}">${children}</a>`,
  image: figure,
  gallery,
  codeblock: ({ code, language }) =>
    `<pre class="language-${escaped(language)}">${escaped(code)}</pre>`,
  html: ({ html }) => text(html),
  markdown: ({ markdown }) => `<p>${escaped(markdown).replace(/\n/g, '<br>')}</p>`,
  horizontalrule: () => '<hr>',
  bookmark,
  embed: ({ url }) => link(url, url),
  video: ({ src, fileName }) => link(src, fileName),
  audio: ({ src, title }) => link(src, title),
  file: ({ src, fileName }) => link(src, fileName),
  button: ({ buttonUrl, buttonText }) => link(buttonUrl, buttonText),
  callout: ({ calloutText }) => `<blockquote>${text(calloutText)}</blockquote>`,
  toggle: ({ heading, content }) => `<p><strong>${text(heading)}</strong></p>${text(content)}`,
};

/** Converts a text of Ghost's editor to HTML. @throws RangeError if it is nested too deeply */
export function lexicalToHtml(document: unknown): string {
  const root = isNode(document) ? document['root'] : null;
  return isNode(root) ? childrenOf(root, 0) : '';
}

function childrenOf(node: Node, depth: number): string {
  if (depth > maxDepth) throw new RangeError('nested too deeply');
  const children = Array.isArray(node['children']) ? node['children'] : [];
  return children
    .filter(isNode)
    .map((child) => {
      const inner = childrenOf(child, depth + 1);
      return elements[text(child['type']).replace(/^extended-/, '')]?.(child, inner) ?? inner;
    })
    .join('');
}
