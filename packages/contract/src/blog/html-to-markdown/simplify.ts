import { codeFrame, simplifyPre } from './code-blocks.ts';
import {
  attribute,
  classesOf,
  type Element,
  type ElementContent,
  element,
  hasBlock,
  isBlank,
  isElement,
  isNamed,
  isText,
  outermost,
  type Root,
  styleOf,
  text,
  textOf,
} from './hast.ts';
import { simplifyList, wordLists } from './lists.ts';
import { type Mark, marksIn } from './marks.ts';
import { emojiOf, pictureUrl, simplifyFigure } from './pictures.ts';
import { inlineContent, simplifyTable } from './tables.ts';

export interface Options {
  /** Receives a sentence for each kind of content that is changed or left out. */
  note(text: string): void;
  /** Whether relative URLs mean something, which they do not in copied HTML. */
  allowsRelativeUrls: boolean;
}

interface Context extends Options {
  marks: readonly Mark[];
  /** The link around the content. */
  link: Element | null;
  base: string;
}

const removed = new Set([
  ...['area', 'base', 'basefont', 'bgsound', 'col', 'colgroup', 'datalist', 'head', 'keygen'],
  ...['link', 'map', 'meta', 'noembed', 'noframes', 'param', 'source', 'style', 'template'],
  ...['title', 'track', 'wbr'],
]);
const removedWithNote = new Set(['applet', 'canvas', 'noscript', 'script', 'svg', 'math']);
const controls = new Set(['button', 'input', 'meter', 'output', 'progress', 'select', 'textarea']);
const embedded = new Set(['audio', 'embed', 'frame', 'iframe', 'object', 'video']);
/** Only their text stays. */
const unsupported = new Set(['details', 'ins', 'mark', 'ruby', 'sub', 'sup', 'u']);

const linkable = /^(?:https?:|mailto:|tel:)/i;
const isScheme = /^[a-z][a-z\d+.-]*:/i;

/**
 * Reduces HTML to the elements that Markdown has: marks and links are around single pieces of text,
 * never around blocks; lists contain only items, and tables only rows of text.
 */
export function simplify(root: Root, options: Options): Root {
  const bases = outermost(root.children, (node) => node.tagName === 'base');
  const base = bases.map((node) => attribute(node, 'href')).find((href) => /^https?:/i.test(href));
  const context: Context = { ...options, marks: [], link: null, base: base ?? '' };
  const children = root.children.filter((node): node is ElementContent => node.type !== 'doctype');
  return { type: 'root', children: content(children, context) };
}

const content = (nodes: readonly ElementContent[], context: Context): ElementContent[] =>
  withJoinedTexts(wordLists(nodes).flatMap((node) => simplified(node, context)));

/** The libraries that follow search the texts beside each text, which takes too long for many. */
function withJoinedTexts(nodes: readonly ElementContent[]): ElementContent[] {
  const joined: ElementContent[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    if (isText(node) && isText(last)) joined[joined.length - 1] = text(last.value + node.value);
    else joined.push(node);
  }
  return joined;
}

function simplified(node: ElementContent, context: Context): ElementContent[] {
  if (isText(node)) return [piece(text(node.value.replace(/\uFEFF/g, '')), context)];
  return isElement(node) && !isHidden(node) ? ofElement(node, context) : [];
}

/** Text or a picture, with the marks and the link around it. */
function piece(node: ElementContent, { marks, link }: Context): ElementContent {
  if (isBlank(node)) return node;
  const marked = marks
    .toSorted((a, b) => Number(a === 'code') - Number(b === 'code'))
    .reduceRight<ElementContent>((inner, mark) => element(mark, [inner]), node);
  return link ? { ...link, children: [marked] } : marked;
}

const isHidden = (node: Element): boolean =>
  /(?:^|[;\s])(?:display:\s*none|visibility:\s*hidden|mso-hide:\s*all)/i.test(styleOf(node)) ||
  (node.properties['hidden'] ?? false) !== false;

function ofElement(node: Element, context: Context): ElementContent[] {
  const { note } = context;
  const { tagName } = node;
  if (removed.has(tagName)) return [];
  if (removedWithNote.has(tagName)) {
    note(`<${tagName}> is left out.`);
    return [];
  }
  if (controls.has(tagName)) return ofControl(node, context);
  if (embedded.has(tagName)) return ofEmbedded(node, context);
  if (unsupported.has(tagName) && tagName !== 'ins') {
    note(`Markdown has no <${tagName}>: its text stays.`);
  }
  const frame = codeFrame(node);
  if (frame) {
    if (context.link) note('A link around code lost its target.');
    return [frame];
  }
  const inner = { ...context, marks: marksIn(node, context.marks) };
  switch (tagName) {
    case 'img':
    case 'image':
      return ofImage(node, context);
    case 'picture':
      return ofPicture(node, inner);
    case 'br':
    case 'hr':
      return [element(tagName)];
    case 'a':
      return ofLink(node, inner);
    case 'pre':
    case 'listing':
    case 'plaintext':
    case 'xmp':
      if (inner.link) note('A link around code lost its target.');
      return [simplifyPre(node)];
    case 'ul':
    case 'ol':
    case 'menu':
    case 'dir':
      return ofList(node, inner);
    case 'dl':
      return definitions(content(node.children, inner));
    case 'q':
      return [piece(text('“'), inner), ...content(node.children, inner), piece(text('”'), inner)];
    case 'table':
      return simplifyTable({ ...node, children: content(node.children, inner) }, note);
    case 'figure':
      return isBookmark(node)
        ? ofBookmark(node, inner)
        : simplifyFigure({ ...node, children: content(node.children, inner) });
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      return [element(tagName, inlineContent(content(node.children, inner)))];
    default:
      return ofOther(node, content(node.children, inner));
  }
}

/** Elements that `hast-util-to-mdast` unwraps, or whose children it puts into paragraphs. */
const flow = new Set([
  ...['address', 'article', 'aside', 'body', 'center', 'details', 'dialog', 'div', 'fieldset'],
  ...['figcaption', 'footer', 'form', 'header', 'hgroup', 'html', 'legend', 'main', 'nav'],
  ...['search', 'section', 'summary'],
]);
/** Those it converts, and the parts of tables and lists. */
const known = new Set([
  ...['blockquote', 'p', 'li', 'dt', 'dd', 'figcaption', 'caption', 'thead', 'tbody', 'tfoot'],
  ...['tr', 'td', 'th', 'footnote-reference', 'footnote-definition'],
]);

function ofOther(node: Element, children: ElementContent[]): ElementContent[] {
  const { tagName, properties } = node;
  if (tagName === 'p' && hasBlock(children)) return [element('div', children)];
  if (known.has(tagName)) return [element(tagName, children, properties)];
  if (flow.has(tagName)) return [element('div', children)];
  return children;
}

/** Null for URLs that a post cannot have. */
function safeUrl(href: string, { base, allowsRelativeUrls }: Context): string | null {
  const url = href.replace(/[\t\n\r]/g, '').trim();
  if (url.startsWith('//')) return encoded(`https:${url}`);
  if (linkable.test(url)) return encoded(url);
  if (url === '' || isScheme.test(url)) return null;
  if (base !== '') return URL.canParse(url, base) ? new URL(url, base).href : null;
  return allowsRelativeUrls ? encoded(url) : null;
}

/** Without characters that would need escapes in Markdown. */
const encoded = (url: string): string =>
  url.replace(/[\s()<>\\"`|]/g, (character) =>
    character === '(' ? '%28' : character === ')' ? '%29' : encodeURIComponent(character),
  );

/** Makes each link an object of its own, so that the texts of two links are not joined. */
let links = 0;

function linkTo(url: string): Element {
  links += 1;
  return element('a', [], { href: url, dataLink: links });
}

function ofLink(node: Element, context: Context): ElementContent[] {
  const href = attribute(node, 'href');
  const url = safeUrl(href, context);
  if (url === null && isScheme.test(href.trim())) {
    context.note('A link with another protocol lost its target.');
  }
  const link = url === null ? context.link : linkTo(url);
  return content(node.children, { ...context, link });
}

function ofImage(node: Element, context: Context, picture?: Element): ElementContent[] {
  const emoji = emojiOf(node);
  if (emoji !== '') return [piece(text(emoji), context)];
  const source = pictureUrl(node, picture);
  const url = safeUrl(source, context);
  if (url === null || /^(?:mailto|tel):/i.test(url)) {
    if (source !== '') context.note('A picture without an http(s) URL is left out.');
    return [];
  }
  const title = attribute(node, 'title').replace(/\s+/g, ' ');
  const alt = attribute(node, 'alt').replace(/\s+/g, ' ');
  return [
    piece(element('img', [], { src: url, alt, ...(title && { title }) }), {
      ...context,
      marks: [],
    }),
  ];
}

function ofPicture(node: Element, context: Context): ElementContent[] {
  const [image] = outermost(node.children, (inner) => inner.tagName === 'img');
  return image ? ofImage(image, context, node) : content(node.children, context);
}

function ofControl(node: Element, context: Context): ElementContent[] {
  const isTask = /^(?:checkbox|radio)$/i.test(attribute(node, 'type')) && node.tagName === 'input';
  if (isTask) return [element('input', [], { ...node.properties, type: 'checkbox' })];
  // A link that looks like a button.
  if (context.link && node.tagName === 'button') return content(node.children, context);
  context.note('A form is left out.');
  return [];
}

function ofEmbedded(node: Element, context: Context): ElementContent[] {
  const { tagName } = node;
  const [inner] = outermost(node.children, (each) => isNamed(each, 'source', 'embed'));
  const source =
    ['src', 'dataSrc', 'data'].map((name) => attribute(node, name)).find(Boolean) ??
    (inner ? attribute(inner, 'src') : '');
  const url = safeUrl(source, context);
  if (url === null || /^(?:mailto|tel):/i.test(url)) {
    if (tagName === 'object') return content(node.children, context);
    context.note(`<${tagName}> is left out.`);
    return [];
  }
  context.note(`<${tagName}> became a link.`);
  const label = attribute(node, 'title') || url;
  return [element('p', [piece(text(label), { ...context, marks: [], link: linkTo(url) })])];
}

const isBookmark = (node: Element): boolean => /\bkg-bookmark-card\b/.test(classesOf(node));

/** A preview of another page becomes a link and its description. */
function ofBookmark(node: Element, context: Context): ElementContent[] {
  const part = (name: string): string => {
    const [found] = outermost([node], (inner) => classesOf(inner).split(' ').includes(name));
    return found ? textOf(found).replace(/\s+/g, ' ').trim() : '';
  };
  const [anchor] = outermost(node.children, (inner) => inner.tagName === 'a');
  const url = anchor ? safeUrl(attribute(anchor, 'href'), context) : null;
  const title = part('kg-bookmark-title') || (url ?? textOf(node).trim());
  const link = url === null ? context.link : linkTo(url);
  if (outermost(node.children, (inner) => inner.tagName === 'img').length > 0) {
    context.note('The pictures of a bookmark are left out.');
  }
  const source = [part('kg-bookmark-author'), part('kg-bookmark-publisher')].filter(Boolean);
  const lines = [part('kg-bookmark-description'), source.join(' · ')];
  const captions = outermost(node.children, (inner) => inner.tagName === 'figcaption');
  return [
    element('p', [
      piece(text(title), { ...context, link }),
      ...lines.filter(Boolean).flatMap((line) => [element('br'), text(line)]),
    ]),
    ...captions.map(({ children }) => element('p', content(children, context))),
  ];
}

function ofList(node: Element, context: Context): ElementContent[] {
  const children = content(node.children, context);
  const list = simplifyList({ ...node, children });
  return list.children.length > 0 ? [list] : [];
}

/** Terms are bold, and their definitions follow. */
function definitions(nodes: readonly ElementContent[]): ElementContent[] {
  const result: ElementContent[] = [];
  let terms: ElementContent[] = [];
  const groups = nodes.flatMap((node) => (isNamed(node, 'div') ? node.children : [node]));
  const finish = (inline: ElementContent[] = []) => {
    if (terms.length > 0 || inline.length > 0) result.push(element('p', [...terms, ...inline]));
    terms = [];
  };
  for (const node of groups) {
    if (isNamed(node, 'dt')) {
      const term = element('strong', inlineContent(node.children));
      terms.push(...(terms.length > 0 ? [element('br'), term] : [term]));
    } else if (isElement(node) && hasBlock(node.children)) {
      finish();
      result.push(element('div', node.children));
    } else if (!isBlank(node)) {
      const inline = isNamed(node, 'dd') ? node.children : [node];
      finish(terms.length > 0 ? [element('br'), ...inline] : inline);
    }
  }
  finish();
  return result;
}
