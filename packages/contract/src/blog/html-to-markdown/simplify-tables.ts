import { limits } from '../../limits.ts';
import {
  childrenOf,
  type HtmlElement,
  type HtmlNode,
  insertText,
  isElement,
  rename,
  replaceWithText,
  unwrap,
} from './dom.ts';

interface Table {
  element: HtmlElement;
  /** Descendants, except those of inner tables. */
  elements: HtmlElement[];
  hasInner: boolean;
}

const named = (...names: string[]) => {
  const set = new Set(names);
  return ({ nodeName }: HtmlNode): boolean => set.has(nodeName);
};
const isTable = named('TABLE');
const isRow = named('TR');
const isCell = named('TD', 'TH');
const isCaption = named('CAPTION');
const isPart = named('THEAD', 'TBODY', 'TFOOT', 'COLGROUP', 'COL');
/** Elements that would lose their meaning in a Markdown cell. */
const isLarge = named(
  'H1',
  'H2',
  'H3',
  'H4',
  'H5',
  'H6',
  'UL',
  'OL',
  'PRE',
  'BLOCKQUOTE',
  'FIGURE',
);
const isBlock = named(
  ...['ADDRESS', 'ARTICLE', 'ASIDE', 'BLOCKQUOTE', 'CENTER', 'DD', 'DETAILS', 'DIV', 'DL', 'DT'],
  ...['FIGCAPTION', 'FIGURE', 'FOOTER', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'HEADER', 'LI', 'MAIN'],
  ...['NAV', 'OL', 'P', 'PRE', 'SECTION', 'SUMMARY', 'UL'],
);
const isBreak = named('BR', 'HR');

/**
 * Changes tables in place: rows get the same number of cells, each a single line of text, and the
 * first row becomes the header. Layout tables are replaced with the blocks inside them.
 * @param elements all elements of a document, in document order
 */
export function simplifyTables(elements: readonly HtmlElement[]): void {
  const fill = createFill();
  for (const table of tablesOf(elements)) {
    if (isLayout(table)) becomeBlocks(table);
    else becomeGrid(table, fill);
  }
}

function tablesOf(elements: readonly HtmlElement[]): Table[] {
  const tables: Table[] = [];
  const outerOf = new Map<HtmlNode | null, Table | undefined>();
  for (const element of elements) {
    const outer = outerOf.get(element.parentNode);
    if (isTable(element)) {
      if (outer) outer.hasInner = true;
      const table = { element, elements: [], hasInner: false };
      tables.push(table);
      outerOf.set(element, table);
    } else {
      outer?.elements.push(element);
      outerOf.set(element, outer);
    }
  }
  return tables;
}

function isLayout({ elements, hasInner }: Table): boolean {
  const rows = elements.filter(isRow).length;
  const cells = elements.filter(isCell).length;
  const isLine = rows === 1 || cells <= rows;
  return hasInner || cells <= 1 || (isLine && elements.some(isLarge));
}

function becomeBlocks({ element, elements }: Table): void {
  for (const part of elements) {
    if (isPart(part)) unwrap(part);
    else if (isRow(part) || isCell(part) || isCaption(part)) rename(part, 'div');
  }
  rename(element, 'div');
}

type Fill = ReturnType<typeof createFill>;

/** Inserts empty cells where cells span columns and rows, up to the limit of a post. */
function createFill() {
  let left: number = limits.tableCells;
  return (row: HtmlElement, before: HtmlNode | null, count: number): void => {
    for (let index = 0; index < count && left > 0; index += 1) {
      left -= 1;
      row.insertBefore(row.ownerDocument.createElement('td'), before);
    }
  };
}

function becomeGrid({ element, elements }: Table, fill: Fill): void {
  for (const inner of elements) flatten(inner);
  for (const caption of elements.filter(isCaption)) {
    element.parentElement?.insertBefore(caption, element);
    rename(caption, 'p');
  }
  const rows = elements.filter(isRow);
  for (const child of childrenOf(element)) element.removeChild(child);
  for (const row of rows) element.insertBefore(row, null);
  const covered: number[] = [];
  const columns = rows.map((row) => layOut(row, covered, fill));
  const most = columns.reduce((max, count) => Math.max(max, count), 0);
  const [head] = rows;
  if (head) fill(head, null, most - (columns[0] ?? 0));
}

/** Replaces a block in a cell with inline content. */
function flatten(element: HtmlElement): void {
  const { parentElement } = element;
  if (!parentElement) return;
  if (isBreak(element)) replaceWithText(element, ' ');
  if (!isBlock(element)) return;
  insertText(parentElement, element.nodeName === 'LI' ? ' • ' : ' ', element);
  insertText(parentElement, ' ', element.nextSibling);
  const isCode = element.nodeName === 'PRE' && element.firstElementChild?.nodeName !== 'CODE';
  if (isCode) rename(element, 'code');
  else unwrap(element);
}

const span = (cell: HtmlElement, name: 'colspan' | 'rowspan'): number =>
  Math.max(1, Number.parseInt(cell.getAttribute(name) ?? '', 10) || 1);

/**
 * @param covered for each column, how many more rows a cell from above extends into
 * @returns the number of columns
 */
function layOut(row: HtmlElement, covered: number[], fill: Fill): number {
  const open = covered.map((rows) => rows > 0);
  covered.forEach((rows, column) => {
    covered[column] = Math.max(0, rows - 1);
  });
  let column = 0;
  for (const cell of childrenOf(row)) {
    if (!isElement(cell) || !isCell(cell)) {
      row.removeChild(cell);
      continue;
    }
    for (; open[column]; column += 1) fill(row, cell, 1);
    const end = column + Math.min(span(cell, 'colspan'), limits.tableColumns);
    fill(row, cell.nextSibling, end - column - 1);
    const rows = span(cell, 'rowspan') - 1;
    // Posts cannot have more columns.
    if (end <= limits.tableColumns) {
      for (let index = column; index < end; index += 1) covered[index] = rows;
    }
    column = end;
  }
  return column;
}
