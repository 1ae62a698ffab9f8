import type { Comment, Element, ElementContent, Nodes, Root, Text } from 'hast';

export type { Element, ElementContent, Root };

export type Content = Root['children'][number];

export const isElement = (node: Nodes | undefined): node is Element => node?.type === 'element';

export const isText = (node: Nodes | undefined): node is Text => node?.type === 'text';

export const isComment = (node: Nodes | undefined): node is Comment => node?.type === 'comment';

export const isNamed = <Name extends string>(
  node: Nodes | undefined,
  ...names: Name[]
): node is Element & { tagName: Name } =>
  isElement(node) && (names as string[]).includes(node.tagName);

export const text = (value: string): Text => ({ type: 'text', value });

export const element = (
  tagName: string,
  children: ElementContent[] = [],
  properties: Element['properties'] = {},
): Element => ({ type: 'element', tagName, properties, children });

/** The value of an attribute; '' if it is missing. */
export function attribute(node: Element, name: string): string {
  const value = node.properties[name];
  if (Array.isArray(value)) return value.join(' ');
  return value === null || value === undefined || value === false ? '' : String(value).trim();
}

/** The editor renames `style`, because the page's policy would report it. */
export const styleOf = (node: Element): string =>
  attribute(node, 'style') || attribute(node, 'dataStyle');

export const classesOf = (node: Element): string => attribute(node, 'className');

export function textOf(node: Nodes): string {
  if (isText(node)) return node.value;
  return 'children' in node ? node.children.map(textOf).join('') : '';
}

export const isBlank = (node: Nodes): boolean =>
  isComment(node) || (isText(node) && /^[\t\n\f\r ]*$/.test(node.value));

/** The elements in a tree that match, in document order, without those inside of a match. */
export function outermost(
  nodes: readonly Nodes[],
  matches: (node: Element) => boolean,
  found: Element[] = [],
): Element[] {
  for (const node of nodes) {
    if (isElement(node) && matches(node)) found.push(node);
    else if ('children' in node) outermost(node.children, matches, found);
  }
  return found;
}

const blocks = new Set([
  ...['address', 'article', 'aside', 'blockquote', 'body', 'caption', 'center', 'dd', 'details'],
  ...['dialog', 'dir', 'div', 'dl', 'dt', 'fieldset', 'figcaption', 'figure', 'footer', 'form'],
  ...['footnote-definition', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'header', 'hgroup', 'hr', 'html'],
  ...['legend', 'li', 'listing', 'main', 'menu', 'nav', 'ol', 'p', 'plaintext', 'pre', 'search'],
  ...['section', 'summary', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr', 'ul', 'xmp'],
]);

export const isBlock = (node: Nodes): boolean => isElement(node) && blocks.has(node.tagName);

export const hasBlock = (nodes: readonly Nodes[]): boolean =>
  nodes.some((node) => isBlock(node) || ('children' in node && hasBlock(node.children)));
