import { spawnSync } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../architecture/sources.ts';
import { replaceSection } from './section.ts';

const file = 'docs/performance.md';

/** @throws if docs/performance.md has no section for a suite */
export function requireSections(names: readonly string[]): void {
  const document = readFileSync(join(root, file), 'utf8');
  for (const name of names) replaceSection(document, name, '');
}

/** Formats the document as lint expects. */
export function writeSection(name: string, section: string): void {
  const path = join(root, file);
  const replaced = replaceSection(readFileSync(path, 'utf8'), name, section);
  writeFileSync(`${path}.new`, format(replaced));
  renameSync(`${path}.new`, path);
}

export function format(markdown: string): string {
  const biome = join(root, 'node_modules/.bin/biome');
  const { status, stdout, stderr, error } = spawnSync(
    biome,
    ['format', `--stdin-file-path=${file}`],
    { cwd: root, input: markdown, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`biome format failed: ${error?.message ?? stderr}`);
  return stdout;
}
