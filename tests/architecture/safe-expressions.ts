import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { isFullRun } from '../support/full-run.ts';
import { root } from './sources.ts';

const { version } = createRequire(import.meta.url)('recheck/package.json') as { version: string };

/** Judging all expressions takes 17 seconds, and the result depends on nothing but their text. */
const file = join(root, 'node_modules/.cache', `recheck-${version}.json`);

/** Those that an earlier run has judged to be safe. Full runs judge all again. */
export const safeExpressions = (): ReadonlySet<string> => new Set(isFullRun ? [] : read());

export function rememberSafe(expressions: readonly string[]): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify([...new Set([...read(), ...expressions])]));
}

function read(): string[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as string[];
  } catch {
    return [];
  }
}
