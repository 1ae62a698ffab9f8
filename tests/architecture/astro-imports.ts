import { cyclesIn, importsOf, pathsOf } from './import-graph.ts';
import type { SourceFile } from './sources.ts';

const withoutTypes = (file: SourceFile) => importsOf(file).filter(({ isType }) => !isType);

/** Forbidden imports in .astro files, which dependency-cruiser cannot read. */
export const forbiddenImports = (files: readonly SourceFile[]): string[] =>
  files
    .filter(({ path }) => path.endsWith('.astro'))
    .flatMap((file) =>
      withoutTypes(file)
        .filter(({ name }) => /^@app\/(?!contract\/|site\/)|^(?:vitest|playwright)\b/.test(name))
        .map(({ name }) => `${file.path} → ${name}`),
    );

/** Cycles of relative imports that include an .astro file: `a.astro → b.ts → a.astro`. */
export const cyclesOf = (files: readonly SourceFile[]): string[] =>
  cyclesIn(new Map(files.map((file) => [file.path, pathsOf(file, withoutTypes(file))])))
    .filter((cycle) => cycle.some((path) => path.endsWith('.astro')))
    .map((cycle) => cycle.join(' → '));
