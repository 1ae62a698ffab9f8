import { cyclesIn, importsOf, pathsOf } from './import-graph.ts';
import { isTest, type SourceFile } from './sources.ts';

/** The files beside its folders put the server together. */
const assembled = 'apps/api/src';

const rootOf = (path: string): string | undefined =>
  /^(?:apps|packages)\/[^/]+\/src(?=\/)/.exec(path)?.[0];

/**
 * The two folders beside each other that an import connects. Files beside folders are no folder,
 * except at the top of a package, where they are what the folders share.
 */
function foldersOf(from: string, to: string): [string, string] | null {
  const root = rootOf(from);
  if (root === undefined || root !== rootOf(to)) return null;
  const [names, others] = [from.split('/'), to.split('/')];
  const depth = names.findIndex((name, index) => name !== others[index]);
  const folder = names.slice(0, depth).join('/');
  const isShared = folder === root && root !== assembled;
  const [first, second] = [names, others].map((path) => {
    if (path.length > depth + 1) return `${folder}/${path[depth]}`;
    return isShared ? folder : undefined;
  });
  return first && second && first !== second ? [first, second] : null;
}

/**
 * Cycles of folders beside each other, with all that is in them, types included.
 * @returns for each one an import per folder: `a/x.ts → b/y.ts, b/z.ts → a/w.ts`
 */
export function folderCycles(files: readonly SourceFile[]): string[] {
  /** For each folder the folders that it imports, and one of these imports. */
  const graph = new Map<string, Map<string, string>>();
  for (const file of files.filter(({ path }) => rootOf(path) && !isTest(path))) {
    for (const path of pathsOf(file, importsOf(file))) {
      const [from, to] = foldersOf(file.path, path) ?? [];
      if (from === undefined || to === undefined) continue;
      const imported = graph.get(from) ?? new Map<string, string>();
      graph.set(from, imported.set(to, `${file.path} → ${path}`));
    }
  }
  const names = new Map([...graph].map(([folder, imported]) => [folder, [...imported.keys()]]));
  return cyclesIn(names).map((cycle) =>
    cycle
      .slice(1)
      .map((folder, index) => graph.get(cycle[index] ?? '')?.get(folder))
      .join(', '),
  );
}
