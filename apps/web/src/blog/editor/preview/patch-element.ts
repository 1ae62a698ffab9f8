/**
 * Makes an element equal to another one, and replaces only what differs: pictures stay loaded, the
 * scroll position stays, and the browser lays out little. The nodes may be of different documents.
 */
export const patchElement = (element: Element, wanted: Element): void => {
  patchAttributes(element, wanted);
  const current = [...element.childNodes];
  const next = [...wanted.childNodes];
  const shorter = Math.min(current.length, next.length);
  let start = 0;
  while (start < shorter && isSame(current[start], next[start])) start += 1;
  let end = 0;
  while (end < shorter - start && isSame(current.at(-1 - end), next.at(-1 - end))) end += 1;

  const old = current.slice(start, current.length - end);
  const changed = next.slice(start, next.length - end);
  const [after = null] = current.slice(current.length - end);
  old.slice(changed.length).forEach((node) => {
    node.remove();
  });
  changed.forEach((node, index) => {
    const replaced = old[index];
    if (!replaced) element.insertBefore(element.ownerDocument.adoptNode(node), after);
    else if (isElement(replaced) && isElement(node) && replaced.tagName === node.tagName) {
      patchElement(replaced, node);
    } else replaced.replaceWith(element.ownerDocument.adoptNode(node));
  });
};

const isSame = (a: Node | undefined, b: Node | undefined): boolean =>
  a !== undefined && b !== undefined && a.isEqualNode(b);

/** `instanceof` fails for nodes of a frame. */
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
