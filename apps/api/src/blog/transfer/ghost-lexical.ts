import { type Card, cardToHtml, escaped, type Note, text } from './ghost-cards.ts';

const maxDepth = 200;

const isNode = (value: unknown): value is Card => typeof value === 'object' && value !== null;

/** The bits of `format`. */
const formats = [
  ['strong', 1],
  ['em', 2],
  ['s', 4],
  ['u', 8],
  ['code', 16],
  ['sub', 32],
  ['sup', 64],
  ['mark', 128],
] as const;

function textHtml(node: Card): string {
  const format = Number(node['format']) || 0;
  return formats.reduce(
    (html, [name, bit]) => (format & bit ? `<${name}>${html}</${name}>` : html),
    escaped(node['text']),
  );
}

/** Lexical's elements. Everything else is a card. */
const elements: Readonly<Record<string, (node: Card, children: string) => string>> = {
  text: textHtml,
  linebreak: () => '<br>',
  tab: () => ' ',
  paragraph: (_, children) => `<p>${children}</p>`,
  heading: ({ tag }, children) => {
    const name = /^h[1-6]$/.test(text(tag)) ? text(tag) : 'h2';
    return `<${name}>${children}</${name}>`;
  },
  quote: (_, children) => `<blockquote>${children}</blockquote>`,
  aside: (_, children) => `<blockquote>${children}</blockquote>`,
  list: ({ listType, start }, children) =>
    listType === 'number'
      ? `<ol start="${Math.round(Number(start)) || 1}">${children}</ol>`
      : `<ul>${children}</ul>`,
  listitem: (_, children) => `<li>${children}</li>`,
  link: ({ url }, children) => `<a href="${escaped(url)}">${children}</a>`,
  autolink: ({ url }, children) => `<a href="${escaped(url)}">${children}</a>`,
  // Marks of the editor, which are not in the text.
  zwnj: () => '',
  'at-link': () => '',
};

/** Converts a text of Ghost's editor to HTML. @throws RangeError if it is nested too deeply */
export function lexicalToHtml(document: unknown, note: Note): string {
  const root = isNode(document) ? document['root'] : null;
  return isNode(root) ? childrenOf(root, 0, note) : '';
}

function childrenOf(node: Card, depth: number, note: Note): string {
  if (depth > maxDepth) throw new RangeError('nested too deeply');
  const children = Array.isArray(node['children']) ? node['children'] : [];
  return children
    .filter(isNode)
    .map((child) => {
      const type = text(child['type']).replace(/^extended-/, '');
      const element = elements[type];
      const inner = childrenOf(child, depth + 1, note);
      if (element) return element(child, inner);
      if (inner !== '') return inner;
      return typeof child['text'] === 'string' ? textHtml(child) : cardToHtml(type, child, note);
    })
    .join('');
}
