import {
  childrenOf,
  elementsIn,
  type HtmlElement,
  isElement,
  isIn,
  moveChildren,
  replaceWithText,
  unwrap,
} from './dom.ts';
import { simplifyTables } from './simplify-tables.ts';

/** Elements without a counterpart in Markdown. */
const plain = new Set(['SPAN', 'FONT', 'LABEL']);
const lists = new Set(['UL', 'OL']);

/** Adjacent elements of a kind are joined: `**a****b**` would not be two bold texts. */
const kinds: Readonly<Record<string, string>> = {
  B: 'bold',
  STRONG: 'bold',
  I: 'italic',
  EM: 'italic',
  DEL: 'struck',
  S: 'struck',
  STRIKE: 'struck',
  CODE: 'code',
};

/**
 * Reduces HTML in place to what the rules of `markdown-rules.ts` can convert. Takes linear time.
 * @throws RangeError if elements are nested too deeply
 */
export function simplifyHtml(body: HtmlElement): void {
  for (const element of elementsIn(body)) {
    if (plain.has(element.nodeName)) unwrap(element);
  }
  for (const element of elementsIn(body)) {
    if (lists.has(element.nodeName)) nestLists(element);
    if (element.nodeName === 'BR' && isIn('PRE', element)) replaceWithText(element, '\n');
  }
  for (const element of elementsIn(body)) {
    if (element.nodeName === 'LI') unwrapOnlyParagraph(element);
  }
  simplifyTables(elementsIn(body));
  for (const element of elementsIn(body)) joinWithNext(element);
}

/** Google Docs and LibreOffice put a nested list after the item that it belongs to. */
function nestLists(list: HtmlElement): void {
  let item: HtmlElement | undefined;
  for (const child of childrenOf(list).filter(isElement)) {
    if (child.nodeName === 'LI') item = child;
    else if (lists.has(child.nodeName)) item?.insertBefore(child, null);
  }
}

/** Otherwise an empty line would follow each item. */
function unwrapOnlyParagraph(item: HtmlElement): void {
  const [first, ...others] = childrenOf(item).filter(
    (child) => isElement(child) || child.textContent?.trim() !== '',
  );
  if (
    first?.nodeName === 'P' &&
    isElement(first) &&
    others.every(({ nodeName }) => lists.has(nodeName))
  ) {
    unwrap(first);
  }
}

function joinWithNext(element: HtmlElement): void {
  const kind = kinds[element.nodeName];
  if (kind === undefined) return;
  for (;;) {
    const next = element.nextSibling;
    if (!next || !isElement(next) || kinds[next.nodeName] !== kind) return;
    moveChildren(next, element);
    element.parentElement?.removeChild(next);
  }
}
