import {
  attribute,
  type Element,
  type ElementContent,
  element,
  isBlank,
  isElement,
  isNamed,
  outermost,
  styleOf,
  textOf,
} from './hast.ts';

const isList = (node: ElementContent | undefined): node is Element => isNamed(node, 'ul', 'ol');

/** Puts everything in a list into its items: Google Docs nests lists beside the items. */
export function simplifyList(list: Element): Element {
  const items: Element[] = [];
  for (const child of list.children) {
    const last = items.at(-1);
    if (isNamed(child, 'li')) items.push({ ...child });
    else if (isBlank(child)) continue;
    else if (last && (isList(child) || !isElement(child)))
      last.children = [...last.children, child];
    else items.push(element('li', [child]));
  }
  const start = attribute(list, 'start') || (items[0] ? attribute(items[0], 'value') : '');
  const properties = /^\d{1,9}$/.test(start) ? { start: Number(start) } : {};
  return element(list.tagName === 'ol' ? 'ol' : 'ul', items.map(simplifyItem), properties);
}

/** Moves a task's checkbox to the start of its item. */
function simplifyItem(item: Element): Element {
  const [first] = item.children.filter((child) => !isBlank(child));
  const box = first ? checkboxOf(first) : undefined;
  if (!box) return item;
  const task = element('input', [], {
    type: 'checkbox',
    ...(box.properties['checked'] ? { checked: true } : {}),
  });
  const rest = item.children.map((child) => without(child, box));
  return { ...item, children: [task, ...rest.filter((child) => child !== null)] };
}

/** The checkbox that an item begins with. */
function checkboxOf(node: ElementContent): Element | undefined {
  if (!isElement(node)) return undefined;
  if (node.tagName === 'input') return node;
  if (!isNamed(node, 'label', 'p', 'span', 'div')) return undefined;
  const [first] = node.children.filter((child) => !isBlank(child));
  return first ? checkboxOf(first) : undefined;
}

function without(node: ElementContent, removed: Element): ElementContent | null {
  if (node === removed) return null;
  if (!isElement(node) || outermost([node], (inner) => inner === removed).length === 0) return node;
  const children = node.children.map((child) => without(child, removed));
  return { ...node, children: children.filter((child) => child !== null) };
}

const level = (node: ElementContent): number =>
  isNamed(node, 'p') ? Number(/mso-list:\s*\w+\s+level([1-9])/i.exec(styleOf(node))?.[1] ?? 0) : 0;

const isMarker = (node: Element): boolean => /mso-list:\s*ignore/i.test(styleOf(node));

/** Turns Word's list items, which are paragraphs with a level and a marker, into lists. */
export function wordLists(children: readonly ElementContent[]): ElementContent[] {
  if (!children.some(level)) return [...children];
  const result: ElementContent[] = [];
  /** The lists that contain the last item, by level. */
  let open: Element[] = [];
  for (const child of children) {
    if (isBlank(child)) continue;
    const depth = Math.min(level(child), open.length + 1);
    if (depth === 0 || !isElement(child)) {
      open = [];
      result.push(child);
      continue;
    }
    const [marker] = outermost(child.children, isMarker);
    const empty = listOf(marker);
    let list = open[depth - 1];
    if (list?.tagName !== empty.tagName) {
      list = empty;
      const outer = open[depth - 2]?.children.at(-1);
      if (isElement(outer)) outer.children.push(list);
      else result.push(list);
    }
    open = [...open.slice(0, depth - 1), list];
    const item = marker ? without(child, marker) : child;
    list.children.push(
      element('li', isElement(item ?? undefined) ? (item as Element).children : []),
    );
  }
  return result;
}

/** An empty list that could begin with an item that has this marker. */
function listOf(marker: Element | undefined): Element {
  const [, label] = /^\s*\(?(\d+|[a-z]+)[.)]/i.exec(marker ? textOf(marker) : '') ?? [];
  return element(label ? 'ol' : 'ul', [], Number(label) > 1 ? { start: Number(label) } : {});
}
