import { stat } from 'node:fs/promises';
import { beginningOf, openFolder } from './folder-source.ts';
import { openGhost } from './ghost-source.ts';
import { type Source, SourceError } from './source.ts';
import { openWordPress } from './wordpress-source.ts';

/**
 * @param siteUrl the URL of the site that the posts come from, if it is known
 * @throws {SourceError}
 */
export async function openSource(path: string, siteUrl: string | null): Promise<Source> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new SourceError(
      error.code === 'ENOENT'
        ? `${path} does not exist.`
        : `${path} cannot be read (${error.code}).`,
    );
  });
  if (found.isDirectory()) return openFolder(path, siteUrl);
  const beginning = (await beginningOf(path)).replace(/^\uFEFF/, '').trimStart();
  if (beginning.startsWith('{')) return openGhost(path, found.size, siteUrl);
  if (beginning.startsWith('<')) return openWordPress(path, siteUrl);
  throw new SourceError(
    `${path} is neither a Ghost export (JSON), a WordPress export (XML), nor a folder of Markdown files.`,
  );
}
