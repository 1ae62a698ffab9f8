import { importsOf, isRelative, packageName, target } from './imports.ts';
import { isTest, packageOf, type SourceFile } from './sources.ts';

/**
 * Who may speak to whom: the packages of the workspace that each one may import. What is not
 * here may not be imported, in either direction.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  'packages/contract': [],
  'packages/site': [],
  'packages/db': [],
  'packages/tasks': [],
  'apps/web': ['@app/contract', '@app/site'],
  'apps/api': ['@app/contract', '@app/db', '@app/site'],
  tests: ['@app/api', '@app/contract', '@app/db', '@app/site', '@app/tasks'],
};

/**
 * Packages that stand on their own, and the only libraries each may use: what both apps speak
 * must weigh next to nothing in a browser, and the tasks run before anything is installed.
 */
const librariesOf: Readonly<Record<string, readonly string[]>> = {
  'packages/contract': ['valibot'],
  'packages/site': [],
  'packages/tasks': [],
};

/** Imports that cross a layer the wrong way. Tests beside the code may use what tests use. */
export const wrongLayers = (files: readonly SourceFile[]): string[] =>
  files.flatMap((file) => {
    const home = packageOf(file.path);
    return importsOf(file).flatMap(({ specifier }) => {
      const complaint = complaintOf(file.path, home, specifier);
      return complaint ? [`${file.path} imports ${specifier}: ${complaint}`] : [];
    });
  });

const complaintOf = (path: string, home: string, specifier: string): string | null => {
  if (isRelative(specifier)) {
    return packageOf(target(path, specifier)) === home
      ? null
      : 'a package is imported by its name, so that its boundary is one';
  }
  const name = packageName(specifier);
  if (name.startsWith('@app/')) {
    return mayImport[home]?.includes(name) ? null : `${home || 'the top level'} may not`;
  }
  const libraries = librariesOf[home];
  if (!libraries || libraries.includes(name) || specifier.startsWith('node:') || isTest(path)) {
    return null;
  }
  return `${home} may use ${libraries.join(', ') || 'no library'}`;
};

/** Node's own modules in code that also runs in a browser. */
export const nodeInTheBrowser = (files: readonly SourceFile[]): string[] =>
  files
    .filter(({ path }) => /^packages\/(contract|site)\//.test(path) && !isTest(path))
    .flatMap((file) =>
      importsOf(file)
        .filter(({ specifier }) => specifier.startsWith('node:'))
        .map(({ specifier }) => `${file.path} imports ${specifier}, which no browser has`),
    );
