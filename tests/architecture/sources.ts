import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface SourceFile {
  /** Relative to the repository, with forward slashes. */
  path: string;
  source: string;
}

export const root = fileURLToPath(new URL('../..', import.meta.url));

const code = /\.(ts|tsx|mjs|js|astro)$/;
/** Folders of generated or third-party files. */
const ignoredFolders = ['node_modules', 'dist', '.astro', 'test-results', 'playwright-report'];

const under = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return ignoredFolders.includes(entry.name) ? [] : under(path);
    return code.test(entry.name) ? [path] : [];
  });

export const sourceFiles: readonly SourceFile[] = [
  'drizzle.config.ts',
  ...['apps', 'packages', 'tests'].flatMap(under),
].map((path) => ({ path, source: readFileSync(join(root, path), 'utf8') }));

export const isTest = (path: string): boolean =>
  /\.test\.tsx?$/.test(path) || path.includes('/testing/');

export const packageFolders = (): string[] =>
  ['apps', 'packages']
    .flatMap((group) => readdirSync(join(root, group)).map((name) => `${group}/${name}`))
    .concat('tests');

export const packageOf = (path: string): string => {
  const [top = '', name = ''] = path.split('/');
  if (top === 'tests') return top;
  return top === 'apps' || top === 'packages' ? `${top}/${name}` : '';
};
