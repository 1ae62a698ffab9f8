/** The part of the DOM that the conversion uses. Browsers and domino implement it. */
export interface HtmlNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly parentNode: HtmlNode | null;
  readonly firstChild: HtmlNode | null;
  readonly nextSibling: HtmlNode | null;
  readonly textContent: string | null;
}

export interface HtmlElement extends HtmlNode {
  readonly ownerDocument: {
    createElement(name: string): HtmlElement;
    createTextNode(text: string): HtmlNode;
  };
  readonly parentElement: HtmlElement | null;
  readonly firstElementChild: HtmlElement | null;
  getAttribute(name: string): string | null;
  hasAttribute(name: string): boolean;
  insertBefore(node: HtmlNode, before: HtmlNode | null): unknown;
  removeChild(node: HtmlNode): unknown;
}

export const isElement = (node: HtmlNode): node is HtmlElement => node.nodeType === 1;

/** Levels of elements. Chrome's parser has the same limit, and flattens what is deeper. */
const maxDepth = 512;

/**
 * All elements below a node, in document order. Does not use domino's `querySelectorAll`, which
 * takes quadratic time, or its `childNodes`, which slows down later insertions.
 * @throws RangeError if elements are nested too deeply, because changing them would be slow
 */
export function elementsIn(root: HtmlNode, found: HtmlElement[] = [], depth = 0): HtmlElement[] {
  if (depth > maxDepth) throw new RangeError('The elements are nested too deeply');
  for (let node = root.firstChild; node; node = node.nextSibling) {
    if (!isElement(node)) continue;
    found.push(node);
    elementsIn(node, found, depth + 1);
  }
  return found;
}

export function childrenOf(parent: HtmlNode): HtmlNode[] {
  const children: HtmlNode[] = [];
  for (let child = parent.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
}

export function moveChildren(from: HtmlElement, to: HtmlElement): void {
  while (from.firstChild) to.insertBefore(from.firstChild, null);
}

export function isIn(name: string, element: HtmlElement): boolean {
  for (let outer = element.parentElement; outer; outer = outer.parentElement) {
    if (outer.nodeName === name) return true;
  }
  return false;
}

/** Replaces an element with its children. */
export function unwrap(element: HtmlElement): void {
  const { parentElement } = element;
  if (!parentElement) return;
  while (element.firstChild) parentElement.insertBefore(element.firstChild, element);
  parentElement.removeChild(element);
}

/** Replaces an element with one of another name that has the same children. */
export function rename(element: HtmlElement, name: string): void {
  const renamed = element.ownerDocument.createElement(name);
  moveChildren(element, renamed);
  element.parentElement?.insertBefore(renamed, element);
  element.parentElement?.removeChild(element);
}

export function insertText(parent: HtmlElement, text: string, before: HtmlNode | null): void {
  parent.insertBefore(parent.ownerDocument.createTextNode(text), before);
}

export function replaceWithText(element: HtmlElement, text: string): void {
  const { parentElement } = element;
  if (!parentElement) return;
  insertText(parentElement, text, element);
  parentElement.removeChild(element);
}
