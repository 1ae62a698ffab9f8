import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '@app/db/open';
import { isTemporary } from '../files/atomic-files.ts';
import { newestSeq } from '../publishing/log.ts';
import type { IsRedirect } from '../publishing/pages.ts';
import { listFiles, openServedRelease } from '../publishing/release.ts';
import { pathOf } from '../server/site-files.ts';

export interface Source {
  folder: string;
  publicUrl: string;
  /** Relative to the folder. Pages last, because they are most likely to change. */
  names: readonly string[];
  /** Changes with the files. */
  version: string;
}

/** The site changed while it was being read. Reading it again may succeed. */
export class SiteChanged extends Error {
  override name = 'SiteChanged';
}

/** The server has not published the site since it was updated. */
export class OutdatedSite extends Error {
  override name = 'OutdatedSite';
}

/**
 * Lists the published files.
 * @param isOmitted selects pages to omit
 * @returns null if no site is published
 * @throws {SiteChanged} if a change is being published @throws {OutdatedSite}
 */
export async function openSource(
  dataDir: string,
  db: Database,
  isOmitted: IsRedirect,
): Promise<Source | null> {
  const served = await openServedRelease(dataDir);
  if (!served) return null;
  const { release, state } = served;
  if (!state) throw new OutdatedSite();
  if (state.tried !== newestSeq(db)) throw new SiteChanged('a change is being published');
  const all = await listFiles(release.folder);
  const names = all.filter((name) => !isTemporary(name) && !isOmitted(pathOf(name)));
  const isPage = (name: string): number => Number(name.endsWith('.html'));
  return {
    folder: release.folder,
    publicUrl: state.publicUrl,
    names: names.sort((a, b) => isPage(a) - isPage(b)),
    version: JSON.stringify([release.folder, state]),
  };
}

/** @throws {SiteChanged} if anything was published since the source was opened */
export async function requireUnchanged(
  dataDir: string,
  db: Database,
  { version }: Source,
): Promise<void> {
  const now = await openSource(dataDir, db, () => false);
  if (now?.version !== version) throw new SiteChanged('a change was published');
}

/** @throws {SiteChanged} */
export async function readSource({ folder }: Source, name: string): Promise<Buffer> {
  try {
    return await readFile(join(folder, name));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === 'ENOENT' ? new SiteChanged(message) : error;
  }
}
