import { posix } from 'node:path';
import { Visitor } from 'oxc-parser';
import { programsOf } from './programs.ts';
import type { SourceFile } from './sources.ts';

interface Import {
  /** As written: `./card.ts`, `@app/contract/pages`. */
  name: string;
  isType: boolean;
}

/** Static imports, import() and re-exports. */
export function importsOf(file: SourceFile): Import[] {
  const found: Import[] = [];
  const add = (source: { value?: unknown } | null, isType = false): void => {
    if (typeof source?.value === 'string') found.push({ name: source.value, isType });
  };
  for (const program of programsOf(file)) {
    new Visitor({
      ImportDeclaration: ({ source, importKind }) => add(source, importKind === 'type'),
      ExportNamedDeclaration: ({ source, exportKind }) => add(source, exportKind === 'type'),
      ExportAllDeclaration: ({ source, exportKind }) => add(source, exportKind === 'type'),
      ImportExpression: ({ source }) => add(source as { value?: unknown }),
      TSImportType: ({ source }) => add(source, true),
    }).visit(program);
  }
  return found;
}

export const pathsOf = ({ path }: SourceFile, imports: readonly Import[]): string[] =>
  imports
    .filter(({ name }) => name.startsWith('.'))
    .map(({ name }) => posix.join(posix.dirname(path), name));

/** Cycles of a graph, as `['a', 'b', 'a']`: at least one if there are any, not always all. */
export function cyclesIn(graph: ReadonlyMap<string, Iterable<string>>): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const visit = (node: string, trail: readonly string[]): void => {
    if (trail.includes(node)) {
      cycles.push([...trail.slice(trail.indexOf(node)), node]);
      return;
    }
    if (done.has(node)) return;
    for (const next of graph.get(node) ?? []) visit(next, [...trail, node]);
    done.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return cycles;
}
