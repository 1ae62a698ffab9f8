import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file as the rules see it: examples in tests are made of the same two texts. */
export interface SourceFile {
  /** From the repository's top, with forward slashes. */
  path: string;
  source: string;
}

export const root = fileURLToPath(new URL('../..', import.meta.url));

const code = /\.(ts|tsx|mjs|js|astro)$/;
/** Not written by hand, or not ours. */
const passedOver = ['node_modules', 'dist', '.astro', 'test-results', 'playwright-report'];

const under = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return passedOver.includes(entry.name) ? [] : under(path);
    return code.test(entry.name) ? [path] : [];
  });

/** Every file with code in it. */
export const sourceFiles: readonly SourceFile[] = [
  'drizzle.config.ts',
  ...['apps', 'packages', 'tests'].flatMap(under),
].map((path) => ({ path, source: readFileSync(join(root, path), 'utf8') }));

/** Tests, and what is only there for them. */
export const isTest = (path: string): boolean =>
  /\.test\.tsx?$/.test(path) || path.includes('/testing/');

/** The folders of the workspace's packages. */
export const packageFolders = (): string[] =>
  ['apps', 'packages']
    .flatMap((group) => readdirSync(join(root, group)).map((name) => `${group}/${name}`))
    .concat('tests');

/** The package a file belongs to, as its folder; '' for the files at the top. */
export const packageOf = (path: string): string => {
  const [top = '', name = ''] = path.split('/');
  if (top === 'tests') return top;
  return top === 'apps' || top === 'packages' ? `${top}/${name}` : '';
};
