import { stat } from 'node:fs/promises';
import { beginningOf, openFolder } from './folder-source.ts';
import { openGhost } from './ghost-source.ts';
import { type Source, SourceError } from './source.ts';
import { openWordPress } from './wordpress-source.ts';

/** @throws {SourceError} */
export async function openSource(path: string): Promise<Source> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new SourceError(
      error.code === 'ENOENT'
        ? `${path} does not exist.`
        : `${path} cannot be read (${error.code}).`,
    );
  });
  if (found.isDirectory()) return openFolder(path);
  const beginning = (await beginningOf(path)).replace(/^\uFEFF/, '').trimStart();
  if (beginning.startsWith('{')) return openGhost(path, found.size);
  if (beginning.startsWith('<')) return openWordPress(path);
  throw new SourceError(
    `${path} is neither a Ghost export (JSON), a WordPress export (XML), nor a folder of Markdown files.`,
  );
}
