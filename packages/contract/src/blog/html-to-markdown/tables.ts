import { limits } from '../../limits.ts';
import {
  attribute,
  type Element,
  type ElementContent,
  element,
  isBlock,
  isElement,
  isNamed,
  outermost,
  styleOf,
  text,
  textOf,
} from './hast.ts';

const isCell = (node: Element): boolean => isNamed(node, 'td', 'th');
const isRow = (node: Element): boolean => isNamed(node, 'tr');

/** Whether an element would lose its meaning in a Markdown cell. */
const isLarge = (node: Element): boolean =>
  isNamed(node, ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'pre', 'blockquote', 'figure']);

const contains = (node: Element, matches: (inner: Element) => boolean): boolean =>
  outermost(node.children, matches).length > 0;

/**
 * A table of text: all rows have the same number of cells, each a single line, and the first row is
 * the header. Layout tables, and those that a post cannot have, become the blocks inside them.
 */
export function simplifyTable(table: Element, note: (text: string) => void): ElementContent[] {
  const captions = outermost(table.children, (node) => node.tagName === 'caption');
  const rows = rowsOf(table);
  const grid = isLayout(rows) ? null : gridOf(rows);
  if (!grid) {
    if (!isLayout(rows)) note('A table is too large for a post: its cells became paragraphs.');
    const cells = rows.flatMap((row) => row.children).filter(isElement);
    return [...captions, ...cells].map(({ children }) => element('div', children));
  }
  const [head = [], ...body] = grid.map((cells) => cells.map(inlineCell));
  const parts = [
    element('thead', [
      element(
        'tr',
        head.map((cell) => ({ ...cell, tagName: 'th' })),
      ),
    ]),
  ];
  if (body.length > 0)
    parts.push(
      element(
        'tbody',
        body.map((cells) => element('tr', cells)),
      ),
    );
  return [...captions.map(({ children }) => element('p', children)), element('table', parts)];
}

/** Rows with nothing but cells. */
const rowsOf = (table: Element): Element[] =>
  outermost(table.children, isRow).map((row) => ({
    ...row,
    children: outermost(row.children, isCell),
  }));

function isLayout(rows: readonly Element[]): boolean {
  const cells = rows.flatMap(({ children }) => children).filter(isElement);
  const isLine = rows.length === 1 || cells.length <= rows.length;
  return (
    cells.length <= 1 ||
    cells.some((cell) => contains(cell, (node) => isNamed(node, 'table'))) ||
    (isLine && cells.some((cell) => contains(cell, isLarge)))
  );
}

const span = (cell: Element, name: 'colSpan' | 'rowSpan'): number =>
  Math.min(Math.max(1, Number.parseInt(attribute(cell, name), 10) || 1), limits.tableRows);

const empty = (): Element => element('td');

/** Fills in empty cells where cells span columns and rows. Null if a post cannot have the table. */
function gridOf(rows: readonly Element[]): Element[][] | null {
  if (rows.length > limits.tableRows) return null;
  /** For each column, how many more rows a cell from above extends into. */
  const covered: number[] = [];
  const grid: Element[][] = [];
  for (const row of rows) {
    const cells: Element[] = [];
    const skip = () => {
      while ((covered[cells.length] ?? 0) > 0) {
        covered[cells.length] = (covered[cells.length] ?? 0) - 1;
        cells.push(empty());
      }
    };
    for (const cell of row.children.filter(isElement)) {
      skip();
      const height = span(cell, 'rowSpan') - 1;
      for (let index = 0; index < span(cell, 'colSpan'); index += 1) {
        covered[cells.length] = height;
        cells.push(index === 0 ? cell : empty());
        if (cells.length > limits.tableColumns) return null;
      }
    }
    skip();
    grid.push(cells);
  }
  const columns = Math.max(...grid.map((cells) => cells.length));
  if (columns * grid.length > limits.tableCells) return null;
  for (const cells of grid) while (cells.length < columns) cells.push(empty());
  return grid;
}

function inlineCell(cell: Element): Element {
  const style = /text-align:\s*(left|center|right)/i.exec(styleOf(cell))?.[1];
  const side = (attribute(cell, 'align') || style || '').toLowerCase();
  const properties = /^(?:left|center|right)$/.test(side) ? { align: side } : {};
  return element('td', inlineContent(cell.children), properties);
}

/** Content without blocks and line breaks, which a heading or cell cannot have. */
export function inlineContent(nodes: readonly ElementContent[]): ElementContent[] {
  return nodes.flatMap((node): ElementContent[] => {
    if (!isElement(node)) return [node];
    if (isNamed(node, 'br', 'hr')) return [text(' ')];
    if (isNamed(node, 'pre'))
      return [text(' '), element('code', [text(textOf(node).trim())]), text(' ')];
    const children = inlineContent(node.children);
    if (!isBlock(node)) return [{ ...node, children }];
    return [text(node.tagName === 'li' ? ' • ' : ' '), ...children, text(' ')];
  });
}
