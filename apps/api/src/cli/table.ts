import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';

export interface TableRow {
  cells: readonly string[];
  /** Another line below them. */
  note?: string;
}

const gap = '  ';
const indent = '    ';

/**
 * Text for people at a terminal: a line of titles, a line a row. What is too long for `width`
 * columns is cut, the widest columns first.
 */
export function formatTable(
  titles: readonly string[],
  rows: readonly TableRow[],
  width = 80,
): string {
  const lines = [titles, ...rows.map(({ cells }) => cells.map(plainText))];
  const widths = titles.map((_title, column) =>
    Math.max(...lines.map((cells) => stringWidth(cells[column] ?? ''))),
  );
  const spare = width - gap.length * (titles.length - 1);
  while (widths.reduce((sum, each) => sum + each, 0) > spare) {
    const widest = widths.indexOf(Math.max(...widths));
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  const formatLine = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => pad(cut(cell, widths[column] ?? 0), widths[column] ?? 0))
      .join(gap)
      .trimEnd();
  const [head = [], ...body] = lines;
  return [
    formatLine(head),
    ...body.flatMap((cells, index) => {
      const note = rows[index]?.note;
      if (note === undefined) return [formatLine(cells)];
      return [formatLine(cells), indent + cut(plainText(note), width - indent.length)];
    }),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/**
 * What a stranger wrote, on one line and without anything that a terminal would obey: control
 * characters, escape sequences, marks that turn the direction of the text around.
 */
export const plainText = (text: string): string =>
  stripVTControlCharacters(text)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  for (const { segment } of letters.segment(text)) {
    if (stringWidth(kept + segment) > width - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

const pad = (text: string, width: number): string => text + ' '.repeat(width - stringWidth(text));

/** To the minute, in UTC: 2026-03-01 12:00. */
export const formatTime = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().slice(0, 16).replace('T', ' ');

/**
 * How an id is shown; so much of it is enough to name what it belongs to. Its end, for ids of one
 * minute begin alike.
 */
export const shortId = (id: string): string => id.slice(-8);

/** What becomes of mails that a command has put into the outbox. */
export const whenSent = 'go out within a minute when the server runs, else when it starts';

/** 1 mail, 2 mails. */
export const counted = (count: number, one: string): string =>
  `${count} ${one}${count === 1 ? '' : 's'}`;

/** What a list leaves out: nothing, or how to see it. */
export const formatRest = (shown: number, all: number): string =>
  shown === all ? '' : `\n${all - shown} older ones are not shown: --limit ${all}\n`;
