import type { StateCommand } from '@codemirror/state';
import { isInCodeBlock } from './code-block.ts';
import { nodeAround } from './inline-syntax.ts';

const emptyTable = '| Column | Column |\n| ------ | ------ |\n|        |        |\n';

export const alignOrInsertTable: StateCommand = ({ state, dispatch }) => {
  const { head } = state.selection.main;
  if (isInCodeBlock(state, head)) return true;
  const node = nodeAround(state, head, 'Table');
  if (node) {
    const { from, to } = node;
    const insert = alignTable(state.sliceDoc(from, to).split('\n')).join('\n');
    const selection = { anchor: Math.min(head, from + insert.length) };
    dispatch(state.update({ changes: { from, to, insert }, selection, userEvent: 'input' }));
    return true;
  }
  const line = state.doc.lineAt(head);
  // A row would continue a paragraph.
  const isAfterText = line.number > 1 && state.doc.line(line.number - 1).text.trim() !== '';
  const before = line.text.trim() !== '' ? '\n\n' : isAfterText ? '\n' : '';
  // Text in the next line would be a row.
  const insert = `${before}${emptyTable}${line.number === state.doc.lines ? '\n' : ''}`;
  const at = line.to;
  const anchor = at + before.length + 2;
  const selection = { anchor, head: anchor + 'Column'.length };
  dispatch(
    state.update({
      changes: { from: at, insert },
      selection,
      userEvent: 'input',
      scrollIntoView: true,
    }),
  );
  return true;
};

/** Pads the cells of a pipe table, so that its columns are aligned. */
export const alignTable = (lines: readonly string[]): string[] => {
  const rows = lines.map(cellsOf);
  const columns = Math.max(...rows.map(({ length }) => length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(3, ...rows.map((row, line) => (line === 1 ? 0 : lengthOf(row[column] ?? '')))),
  );
  return rows.map((row, line) => {
    const cells = widths.map((width, column) => {
      const cell = row[column] ?? '';
      return line === 1 ? rule(cell, width) : cell + ' '.repeat(width - lengthOf(cell));
    });
    return `| ${cells.join(' | ')} |`;
  });
};

const segmenter = new Intl.Segmenter();

const lengthOf = (cell: string): number => [...segmenter.segment(cell)].length;

const cellsOf = (line: string): string[] => {
  const cells = line.trim().split(/(?<!\\)\|/);
  if (cells[0] === '') cells.shift();
  if (cells.at(-1)?.trim() === '') cells.pop();
  return cells.map((cell) => cell.trim());
};

const rule = (cell: string, width: number): string => {
  const left = cell.startsWith(':') ? ':' : '-';
  const right = cell.endsWith(':') && cell.length > 1 ? ':' : '-';
  return left + '-'.repeat(width - 2) + right;
};
