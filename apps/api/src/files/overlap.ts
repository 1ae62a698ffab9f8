import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

/** Whether one folder contains the other. Folders need not exist yet. */
export function overlap(one: string, other: string): boolean {
  const [first, second] = [realPath(one), realPath(other)];
  return [relative(first, second), relative(second, first)].some(
    (path) => path.split('/')[0] !== '..',
  );
}

/** Resolves symbolic links in the existing part of an absolute path. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return join(realPath(dirname(path)), basename(path));
  }
}
