import { basename } from 'node:path';
import { importsOf, isRelative, programsOf, target } from './imports.ts';
import type { SourceFile } from './sources.ts';

/** Files that only pass on what others export: they hide where a thing is, and load all of it. */
export const barrels = (files: readonly SourceFile[]): string[] =>
  files
    .filter((file) => {
      const statements = programsOf(file).flatMap(({ body }) => body);
      return (
        statements.length > 0 &&
        statements.every(
          (statement) =>
            statement.type === 'ExportAllDeclaration' ||
            (statement.type === 'ExportNamedDeclaration' && statement.source !== null),
        )
      );
    })
    .map(({ path }) => `${path} only re-exports: import from where the thing is`);

/** Names that say nothing: whatever lands there has a feature or an idea to be named after. */
const vague = ['utils', 'util', 'helpers', 'helper', 'misc', 'common', 'stuff'];

export const vagueNames = (files: readonly SourceFile[]): string[] =>
  files
    .filter(({ path }) =>
      path.split('/').some((part) => vague.includes(basename(part).split('.')[0] ?? '')),
    )
    .map(({ path }) => `${path} has a name that says nothing`);

/**
 * Circles of files that import each other, each told once. Types do not count: they are gone
 * when the program runs, and it is then that a circle gives someone a half-made module.
 */
export const circles = (files: readonly SourceFile[]): string[] => {
  const known = new Set(files.map(({ path }) => path));
  const imports = new Map(
    files.map((file) => [
      file.path,
      importsOf(file)
        .filter(({ specifier, isType }) => !isType && isRelative(specifier))
        .map(({ specifier }) => target(file.path, specifier))
        .filter((path) => known.has(path)),
    ]),
  );
  const found: string[] = [];
  const finished = new Set<string>();
  const walk = (path: string, way: readonly string[]): void => {
    const at = way.indexOf(path);
    if (at >= 0) {
      found.push([...way.slice(at), path].join(' → '));
      return;
    }
    if (finished.has(path)) return;
    for (const next of imports.get(path) ?? []) walk(next, [...way, path]);
    finished.add(path);
  };
  for (const path of known) walk(path, []);
  return found;
};
