import { posix } from 'node:path';
import { programsOf } from './programs.ts';
import type { SourceFile } from './sources.ts';

/** What a file imports, without types: `./card.ts`, `@app/contract/pages`. */
const importsOf = (file: SourceFile): string[] =>
  programsOf(file).flatMap(({ body }) =>
    body.flatMap((node) =>
      node.type === 'ImportDeclaration' && node.importKind !== 'type' ? [node.source.value] : [],
    ),
  );

/** Packages that an .astro file may not import: dependency-cruiser cannot read these files. */
export const forbiddenImports = (files: readonly SourceFile[]): string[] =>
  files
    .filter(({ path }) => path.endsWith('.astro'))
    .flatMap((file) =>
      importsOf(file)
        .filter((name) => /^@app\/(?!contract\/|site\/)|^(?:vitest|playwright)\b/.test(name))
        .map((name) => `${file.path} → ${name}`),
    );

/** Cycles of relative imports with an .astro file in them: `a.astro → b.ts → a.astro`. */
export function cyclesOf(files: readonly SourceFile[]): string[] {
  const imports = new Map(
    files.map((file) => [
      file.path,
      importsOf(file)
        .filter((name) => name.startsWith('.'))
        .map((name) => posix.join(posix.dirname(file.path), name)),
    ]),
  );
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      const cycle = [...trail.slice(trail.indexOf(path)), path];
      if (cycle.some((name) => name.endsWith('.astro'))) cycles.push(cycle.join(' → '));
      return;
    }
    if (done.has(path)) return;
    for (const imported of imports.get(path) ?? []) visit(imported, [...trail, path]);
    done.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  return cycles;
}
