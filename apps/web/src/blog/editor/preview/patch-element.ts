/**
 * Makes an element equal to another one by replacing only what differs. This keeps pictures loaded
 * and the scroll position, and needs little layout. The nodes can belong to different documents.
 * @param excluded selector of an element whose content is not changed
 */
export const patchElement = (element: Element, wanted: Element, excluded: string): void => {
  const isExcluded = element.matches(excluded) && wanted.matches(excluded);
  patchAttributes(element, wanted);
  if (isExcluded) return;
  patchNodes(element, [...element.childNodes], [...wanted.childNodes], null, excluded);
};

/**
 * Makes successive nodes of an element equal to others.
 * @param following the node after them
 */
export const patchNodes = (
  parent: Element,
  current: readonly Node[],
  next: readonly Node[],
  following: Node | null,
  excluded: string,
): void => {
  const shorter = Math.min(current.length, next.length);
  let start = 0;
  while (start < shorter && isSame(current[start], next[start])) start += 1;
  let end = 0;
  while (end < shorter - start && isSame(current.at(-1 - end), next.at(-1 - end))) end += 1;

  const old = current.slice(start, current.length - end);
  const changed = next.slice(start, next.length - end);
  const [after = following] = current.slice(current.length - end);
  old.slice(changed.length).forEach((node) => {
    parent.removeChild(node);
  });
  changed.forEach((node, index) => {
    const replaced = old[index];
    if (!replaced) parent.insertBefore(parent.ownerDocument.adoptNode(node), after);
    else if (isElement(replaced) && isElement(node) && replaced.tagName === node.tagName) {
      patchElement(replaced, node, excluded);
    } else parent.replaceChild(parent.ownerDocument.adoptNode(node), replaced);
  });
};

const isSame = (a: Node | undefined, b: Node | undefined): boolean =>
  a !== undefined && b !== undefined && a.isEqualNode(b);

/** `instanceof` does not work for nodes of another frame. */
const isElement = (node: Node): node is Element => node.nodeType === Node.ELEMENT_NODE;

const patchAttributes = (element: Element, wanted: Element): void => {
  for (const name of element.getAttributeNames()) {
    if (!wanted.hasAttribute(name)) element.removeAttribute(name);
  }
  for (const name of wanted.getAttributeNames()) {
    const value = wanted.getAttribute(name) ?? '';
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  }
};
