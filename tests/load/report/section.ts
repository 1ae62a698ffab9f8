import type { Comparison, Row } from '../row.ts';

const marker = (name: string) => `<!-- pnpm bench ${name} -->`;
const end = '<!-- end -->';

/** @throws if the document does not have the suite's markers exactly once */
export function replaceSection(document: string, name: string, section: string): string {
  const [before, rest, ...more] = document.split(marker(name));
  const endsAt = rest?.indexOf(end) ?? -1;
  if (before === undefined || rest === undefined || more.length > 0 || endsAt < 0) {
    throw new Error(
      `docs/performance.md needs the line ${marker(name)} exactly once, where the figures of ${name} belong, and ${end} after it`,
    );
  }
  if (rest.slice(0, endsAt).includes('<!-- pnpm bench')) {
    throw new Error(`docs/performance.md needs the line ${end} after ${marker(name)}`);
  }
  return `${before}${marker(name)}\n\n${section}\n\n${rest.slice(endsAt)}`;
}

export const sectionOf = (circumstances: string, rows: readonly Row[]): string =>
  `${circumstances}\n\n${tableOf(rows)}`;

/** Each further comparison of a row gets its own line. Without any, their columns are omitted. */
export function tableOf(rows: readonly Row[]): string {
  const isCompared = rows.some(({ comparisons = [] }) => comparisons.length > 0);
  const lines = rows.flatMap((row) => linesOf(row));
  const cells = [['what', 'measured', 'aim', 'compared with', 'its figure', 'ratio'], ...lines];
  const [head = '', ...body] = cells.map((each) => lineOf(isCompared ? each : each.slice(0, 3)));
  return [head, lineOf(Array(isCompared ? 6 : 3).fill('---')), ...body].join('\n');
}

function linesOf({ what, measured, aim = '', comparisons = [] }: Row): string[][] {
  const [first, ...others] = comparisons.map(({ name, measured: theirs, ratio }: Comparison) => [
    name,
    theirs,
    ratio,
  ]);
  return [
    [what, measured, aim, ...(first ?? ['', '', ''])],
    ...others.map((each) => ['', '', '', ...each]),
  ];
}

const lineOf = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`;
