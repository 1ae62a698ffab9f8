import { cyclesIn, importsOf, pathsOf } from './import-graph.ts';
import { isTest, type SourceFile } from './sources.ts';

/** The files at the top of this folder assemble the server, so they import its folders. */
const assembled = 'apps/api/src';

const rootOf = (path: string): string | undefined =>
  /^(?:apps|packages)\/[^/]+\/src(?=\/)/.exec(path)?.[0];

/**
 * The two sibling folders that an import connects. Files next to folders do not count as a folder,
 * except at the top of a package, where they are shared by its folders.
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
 * Import cycles between sibling folders, including their subfolders and type imports.
 * @returns for each cycle, one import per folder: `a/x.ts → b/y.ts, b/z.ts → a/w.ts`
 */
export function folderCycles(files: readonly SourceFile[]): string[] {
  /** For each folder, the folders it imports, with one of the imports. */
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
