import { writeFileSync } from 'node:fs';
import type { Card } from '@app/contract/pages';
import { withParentFolder } from '../files/atomic-files.ts';
import type { Page } from './pages.ts';
import type { LoadedBuild, RenderedFile } from './renderer.ts';

/** A page of a release that is not served yet. */
export interface PageFile {
  path: string;
  page: Page;
  file: string;
}

export type WrittenPage = { card: Card | null } | { error: unknown };

export const renderFile = async (
  render: LoadedBuild['render'],
  path: string,
  page: Page,
): Promise<RenderedFile> =>
  'text' in page ? { bytes: Buffer.from(page.text), card: null } : render(path, page.data);

/**
 * Renders pages into files, in page-process.ts. Writes are synchronous: nothing else runs there.
 * @throws when a file cannot be written
 */
export async function writePages(
  render: LoadedBuild['render'],
  pages: readonly PageFile[],
): Promise<WrittenPage[]> {
  const writing = pages.map(async ({ path, page, file }): Promise<WrittenPage> => {
    let rendered: RenderedFile;
    try {
      rendered = await renderFile(render, path, page);
    } catch (error) {
      return { error };
    }
    const { bytes, card } = rendered;
    withParentFolder(file, () => writeFileSync(file, bytes));
    return { card };
  });
  // A release cannot be removed while files are still being written.
  await Promise.allSettled(writing);
  return Promise.all(writing);
}
