import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

/** Whether one folder contains the other, or will when it exists. */
export function overlap(one: string, other: string): boolean {
  const [first, second] = [realPath(one), realPath(other)];
  return [relative(first, second), relative(second, first)].some(
    (path) => path.split('/')[0] !== '..',
  );
}

/** @param path absolute; what is missing has no links */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return join(realPath(dirname(path)), basename(path));
  }
}
