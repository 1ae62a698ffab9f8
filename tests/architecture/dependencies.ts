import { isBuiltin } from 'node:module';
import { importsOf, isRelative, packageName } from './imports.ts';
import { isTest, packageOf, type SourceFile } from './sources.ts';

export interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** Modules that a bundler makes up: no package brings them. */
const isVirtual = (specifier: string): boolean => /^(astro|virtual):/.test(specifier);

/**
 * Imports of packages that the importing package does not name in its package.json. What only
 * tests and the files at the top use may stand in the root's, which all share.
 * @param manifests by folder; '' for the root's
 */
export const undeclared = (
  files: readonly SourceFile[],
  manifests: ReadonlyMap<string, Manifest>,
): string[] =>
  files.flatMap((file) => {
    const home = packageOf(file.path);
    const shared = isTest(file.path) || home === '' || home === 'tests';
    const declared = new Set(
      [home, ...(shared ? [''] : [])].flatMap((folder) => names(manifests.get(folder))),
    );
    return importsOf(file)
      .filter(({ specifier }) => !isRelative(specifier) && !isBuiltin(specifier))
      .filter(({ specifier }) => !isVirtual(specifier) && !declared.has(packageName(specifier)))
      .map(
        ({ specifier }) =>
          `${file.path} imports ${specifier}, which its package.json does not name`,
      );
  });

const names = ({ dependencies = {}, devDependencies = {} }: Manifest = {}): string[] => [
  ...Object.keys(dependencies),
  ...Object.keys(devDependencies),
];

/** Ranges that take whatever is newest on the day, majors included. */
export const floating = (manifests: ReadonlyMap<string, Manifest>): string[] =>
  [...manifests].flatMap(([folder, { dependencies = {}, devDependencies = {} }]) =>
    Object.entries({ ...dependencies, ...devDependencies })
      .filter(([, range]) => range === 'latest' || range === '*' || range === '')
      .map(([name, range]) => `${folder || 'the root'} wants ${name}@${range}: name a major`),
  );

/** Addresses in a lockfile: with one, an install asks that registry and not the one people set. */
export const registryAddresses = (lockfile: string): string[] =>
  [...lockfile.matchAll(/https?:\/\/[^\s,}'"]+/g)].map(([address]) => address);
