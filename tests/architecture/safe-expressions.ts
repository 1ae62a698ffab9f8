import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isFullRun } from '../support/full-run.ts';

interface Judged {
  recheck: string;
  /** Sorted. */
  safe: string[];
}

const { version } = createRequire(import.meta.url)('recheck/package.json') as { version: string };

/** Committed, because judging all takes 12 seconds and the result depends only on their text. */
const file = new URL('safe-expressions.json', import.meta.url);

/** Expressions that an earlier run judged safe. Full runs judge all again. */
export const safeExpressions = (): ReadonlySet<string> => new Set(isFullRun ? [] : read());

/** Changes are meant for the next commit. */
export function rememberSafe(expressions: readonly string[]): void {
  const judged: Judged = { recheck: version, safe: expressions.toSorted() };
  const text = `${JSON.stringify(judged, null, 2)}\n`;
  if (text !== readFileSync(file, 'utf8')) writeFileSync(file, text);
}

function read(): string[] {
  const { recheck, safe } = JSON.parse(readFileSync(file, 'utf8')) as Judged;
  return recheck === version ? safe : [];
}
