import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';

interface TableRow {
  cells: readonly string[];
  /** Shown on a line below. */
  note?: string;
}

const gap = '  ';
const indent = '    ';

/** A table for terminals. If it is wider than `width` columns, the widest columns are truncated. */
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

/** Puts user input on one line, without control characters, escape sequences and bidi overrides. */
export const plainText = (text: string): string =>
  stripVTControlCharacters(text)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let shown = '';
  for (const { segment } of letters.segment(text)) {
    if (stringWidth(shown + segment) > width - 1) break;
    shown += segment;
  }
  return `${shown.trimEnd()}…`;
}

const pad = (text: string, width: number): string => text + ' '.repeat(width - stringWidth(text));

/**
 * Formats a time as 2026-03-01 12:00.
 * @param time ISO 8601, in UTC
 */
export const formatTime = (time: string): string => time.slice(0, 16).replace('T', ' ');

/** The end of the id, because ids that are created within a minute start alike. */
export const shortId = (id: string): string => id.slice(-8);

export const whenSent = 'be sent within a minute, or when the server starts';

export const counted = (count: number, one: string): string =>
  `${count} ${one}${count === 1 ? '' : 's'}`;

export const formatRest = (shown: number, all: number): string =>
  shown === all ? '' : `\n${all - shown} older ones are not shown: --limit ${all}\n`;
