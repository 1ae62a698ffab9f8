import { writeFileSync } from 'node:fs';
import type { Card, PageData } from '@app/contract/pages';
import { withParentFolder } from '../files/atomic-files.ts';
import { checksumOf, type FileChecksum } from './manifest-lines.ts';
import type { LoadedBuild, RenderedFile } from './renderer.ts';

/** A page of a release that is not served yet. */
export interface PageFile {
  path: string;
  data: PageData;
  file: string;
}

export type WrittenPage = { card: Card | null; checksum: FileChecksum } | { error: unknown };

/**
 * Renders pages into files, in page-process.ts. Writes are synchronous: nothing else runs there.
 * @throws when a file cannot be written
 */
export async function writePages(
  render: LoadedBuild['render'],
  pages: readonly PageFile[],
): Promise<WrittenPage[]> {
  const writing = pages.map(async ({ path, data, file }): Promise<WrittenPage> => {
    let rendered: RenderedFile;
    try {
      rendered = await render(path, data);
    } catch (error) {
      return { error };
    }
    const { bytes, card } = rendered;
    withParentFolder(file, () => writeFileSync(file, bytes));
    return { card, checksum: checksumOf(bytes) };
  });
  // A release cannot be removed while files are still being written.
  await Promise.allSettled(writing);
  return Promise.all(writing);
}
