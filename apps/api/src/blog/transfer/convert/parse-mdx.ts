import type { Image, Link, Root, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { type MdxJsxFlowElement, type MdxJsxTextElement, mdxFromMarkdown } from 'mdast-util-mdx';
import { gfm } from 'micromark-extension-gfm';
import { mdxjs } from 'micromark-extension-mdxjs';
import { escapeHtml } from '../../rendering/escape-html.ts';
import { checkDepth } from './check-depth.ts';
import { withoutContainers } from './markdown-dialects.ts';
import type { Notes } from './notes.ts';
import { outsideCode } from './outside-code.ts';

type Jsx = MdxJsxFlowElement | MdxJsxTextElement;
interface Program {
  body: readonly { type: string; expression?: Expression }[];
}
interface Expression {
  type: string;
  value?: unknown;
  quasis?: readonly { value: { cooked?: string | null } }[];
}

/**
 * Parses MDX. Modules and expressions are left out, elements become HTML, and of components their
 * text, link or picture is kept.
 * @throws RangeError if it is nested too deeply
 * @throws an error if it is not valid MDX
 */
export function parseMdx(text: string, notes: Notes): Root {
  const markdown = outsideCode(text, (part) => withoutContainers(withoutComments(part), notes));
  const tree = fromMarkdown(markdown, {
    extensions: [gfm(), mdxjs({ addResult: true })],
    mdastExtensions: [gfmFromMarkdown(), mdxFromMarkdown()],
  });
  checkDepth(tree);
  return { ...tree, children: withoutMdx(tree.children, notes) };
}

/** Docusaurus reads .md files as MDX. */
export function hasImports(text: string): boolean {
  let isFound = false;
  outsideCode(text, (part) => {
    isFound ||= /^import\s[^\n]*\sfrom\s+['"]/m.test(part);
    return part;
  });
  return isFound;
}

/** MDX has none, but Docusaurus and older versions accept them. */
function withoutComments(text: string): string {
  const [start = '', ...parts] = text.split('<!--');
  return parts.reduce((kept, part) => {
    const end = part.indexOf('-->');
    return end < 0 ? `${kept}<!--${part}` : kept + part.slice(end + 3);
  }, start);
}

const withoutMdx = (nodes: readonly RootContent[], notes: Notes): RootContent[] =>
  nodes.flatMap((node): RootContent[] => {
    switch (node.type) {
      case 'mdxjsEsm':
        notes.add('Imports and exports of MDX are left out.');
        return [];
      case 'mdxFlowExpression':
      case 'mdxTextExpression':
        return literalOf(node.value, node.data?.estree as Program | undefined, notes);
      case 'mdxJsxFlowElement':
      case 'mdxJsxTextElement':
        return fromJsx(node, notes);
      default:
        return 'children' in node
          ? [
              {
                ...node,
                children: withoutMdx(node.children as RootContent[], notes),
              } as RootContent,
            ]
          : [node];
    }
  });

/** The text of a literal. Comments vanish, as they do in HTML. */
function literalOf(source: string, program: Program | undefined, notes: Notes): RootContent[] {
  if (program?.body.length === 0) return [];
  const value = literalIn(program);
  if (value !== null) return [{ type: 'text', value }];
  notes.add(leftOut(source));
  return [];
}

const leftOut = (source: string): string =>
  `The expression {${source.trim().slice(0, 40)}} is left out.`;

function literalIn(program: Program | undefined): string | null {
  const expression = program?.body[0]?.expression;
  const parts = expression?.quasis ?? [];
  const isTemplate = expression?.type === 'TemplateLiteral' && parts.length === 1;
  const value = isTemplate ? parts[0]?.value.cooked : expression?.value;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

/** Attributes that a post may show. */
const shown = /^(?:src|srcset|href|alt|poster|title)$/i;

/** Attributes that have text or a URL. */
function attributesOf({ attributes }: Jsx, notes: Notes): Map<string, string> {
  const found = new Map<string, string>();
  for (const attribute of attributes) {
    if (attribute.type !== 'mdxJsxAttribute') {
      notes.add(leftOut(attribute.value));
      continue;
    }
    const { name, value } = attribute;
    const isExpression = value !== null && value !== undefined && typeof value === 'object';
    const text = isExpression ? literalIn(value.data?.estree as Program | undefined) : value;
    if (typeof text === 'string') found.set(name, text);
    else if (isExpression && shown.test(name)) notes.add(leftOut(value.value));
  }
  return found;
}

/** Whether browsers would not show it. */
const isHidden = ({ attributes }: Jsx): boolean =>
  attributes.some((attribute) => {
    if (attribute.type !== 'mdxJsxAttribute') return false;
    const { name, value } = attribute;
    const source = value !== null && typeof value === 'object' ? value.value : value;
    return name === 'hidden'
      ? source !== 'false'
      : name === 'style' &&
          /(?:display['"]?:\s*['"]?none|visibility['"]?:\s*['"]?hidden)/.test(source ?? '');
  });

function fromJsx(node: Jsx, notes: Notes): RootContent[] {
  const { name } = node;
  if (isHidden(node)) {
    notes.add('A hidden part is left out.');
    return [];
  }
  const children = withoutMdx(node.children, notes);
  // A fragment.
  if (name === null) return children;
  const attributes = attributesOf(node, notes);
  return /^[a-z][a-z\d]*$/.test(name)
    ? htmlElement(name, attributes, children)
    : fromComponent(node, attributes, children, notes);
}

function htmlElement(
  name: string,
  attributes: ReadonlyMap<string, string>,
  children: RootContent[],
): RootContent[] {
  const written = [...attributes].map(
    ([key, value]) => ` ${key === 'className' ? 'class' : key}="${escapeHtml(value)}"`,
  );
  return [
    { type: 'html', value: `<${name}${written.join('')}>` },
    ...children,
    ...(voidElements.has(name) ? [] : [{ type: 'html' as const, value: `</${name}>` }]),
  ];
}

const voidElements = new Set(
  'area base br col embed hr img input link meta source track wbr'.split(' '),
);

const first = (attributes: ReadonlyMap<string, string>, names: string): string =>
  names
    .split(' ')
    .map((name) => attributes.get(name)?.trim() ?? '')
    .find((value) => value !== '') ?? '';

/** Components differ in every site, so the usual names of their attributes decide. */
function fromComponent(
  { name, type }: Jsx,
  attributes: ReadonlyMap<string, string>,
  children: RootContent[],
  notes: Notes,
): RootContent[] {
  const inBlock = (content: RootContent): RootContent =>
    type === 'mdxJsxFlowElement'
      ? ({ type: 'paragraph', children: [content] } as RootContent)
      : content;
  const label = first(attributes, 'title label heading name text caption alt summary');
  const source = first(attributes, 'src image');
  if (isPicture(name ?? '', source)) {
    const title = first(attributes, 'caption title') || null;
    const image: Image = { type: 'image', url: source, alt: first(attributes, 'alt'), title };
    return [inBlock(image), ...children];
  }
  const url = first(attributes, 'href url to link') || videoUrl(name ?? '', attributes) || source;
  if (url !== '') {
    notes.add(`<${name}> became a link.`);
    const text: RootContent[] = [{ type: 'text', value: label || url }];
    const isInline = children.length > 0 && type === 'mdxJsxTextElement';
    const link: Link = {
      type: 'link',
      url,
      children: (isInline ? children : text) as Link['children'],
    };
    return [inBlock(link), ...(isInline ? [] : children)];
  }
  const title = inBlock({ type: 'strong', children: [{ type: 'text', value: label }] });
  const space: RootContent[] = type === 'mdxJsxTextElement' ? [{ type: 'text', value: ' ' }] : [];
  const kept = label === '' ? children : [title, ...space, ...children];
  notes.add(`<${name}> is left out${kept.length > 0 ? ', its text stays' : ''}.`);
  return kept;
}

const isPicture = (name: string, source: string): boolean =>
  source !== '' &&
  (/image|img|picture|figure|photo/i.test(name) ||
    /\.(?:png|jpe?g|gif|webp|avif|svg)$/i.test(source));

function videoUrl(name: string, attributes: ReadonlyMap<string, string>): string {
  const id = first(attributes, 'id videoId videoid youtubeId');
  if (id === '') return '';
  if (/^https?:/.test(id)) return id;
  if (/youtube/i.test(name)) return `https://www.youtube.com/watch?v=${id}`;
  if (/vimeo/i.test(name)) return `https://vimeo.com/${id}`;
  return /tweet|twitter/i.test(name) ? `https://twitter.com/i/status/${id}` : '';
}
