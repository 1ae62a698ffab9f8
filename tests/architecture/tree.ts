import type { SourceFile } from './sources.ts';

/** Code spans are ignored. */
export const brokenLinks = (markdown: string, exists: (path: string) => boolean): string[] =>
  [...markdown.replace(/`[^`\n]+`/g, '').matchAll(/\]\(([^)#:]+)\)/g)]
    .map(([, path = '']) => path)
    .filter((path) => !exists(path));

/** Dotfiles are allowed, too. */
const top: readonly string[] = [
  'LICENSE',
  'README.md',
  'apps',
  'docs',
  'drizzle.config.ts',
  'package.json',
  'packages',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'tests',
  'tsconfig.base.json',
  'data',
  'node_modules',
];

export const unexpectedEntries = (entries: readonly string[]): string[] =>
  entries.filter((name) => !name.startsWith('.') && !top.includes(name));

/**
 * Packages that have code but no tsconfig.json: their types would not be checked.
 * @param configured the packages' folders that have one
 */
export const untyped = (
  files: readonly SourceFile[],
  packageOf: (path: string) => string,
  configured: readonly string[],
): string[] =>
  [...new Set(files.map(({ path }) => packageOf(path)))].filter(
    (folder) => folder !== '' && !configured.includes(folder),
  );
