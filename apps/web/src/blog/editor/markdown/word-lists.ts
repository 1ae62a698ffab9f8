/**
 * Turns Word's list items into lists. Word copies each item as a paragraph with its level and its
 * marker, which `withoutStyles` has moved to data attributes.
 */
export const toLists = (body: HTMLElement): void => {
  /** The lists that contain the last item, by level. */
  let open: HTMLElement[] = [];
  for (const paragraph of body.querySelectorAll<HTMLElement>('p[data-list-level]')) {
    if (paragraph.previousElementSibling !== open[0]) open = [];
    const level = Math.min(Number(paragraph.dataset['listLevel']), open.length + 1);
    const empty = emptyList(paragraph);
    let list = open[level - 1];
    if (list?.localName !== empty.localName) {
      list = empty;
      const outer = open[level - 2]?.lastElementChild;
      if (outer) outer.append(list);
      else paragraph.before(list);
    }
    open = [...open.slice(0, level - 1), list];
    const item = body.ownerDocument.createElement('li');
    item.append(...paragraph.childNodes);
    list.append(item);
    paragraph.remove();
  }
};

/** Creates a list that could begin with this item. Removes the item's marker. */
const emptyList = (item: HTMLElement): HTMLElement => {
  const marker = item.querySelector('[data-list-marker]');
  const [, label] = /^\s*\(?(\d+|[a-z]+)[.)]/i.exec(marker?.textContent ?? '') ?? [];
  marker?.remove();
  const list = item.ownerDocument.createElement(label ? 'ol' : 'ul');
  if (Number(label) > 1) list.setAttribute('start', `${Number(label)}`);
  return list;
};
