import { readFile, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readManifest } from '../publishing/manifest.ts';
import { checksumOf, type FileChecksum, type PageRecord } from '../publishing/manifest-lines.ts';
import type { IsRedirectPage } from '../publishing/pages.ts';
import {
  isCard,
  isHashedAsset,
  listFiles,
  manifestFile,
  siteFolder,
} from '../publishing/release.ts';
import { fileOf } from '../server/site-files.ts';

export interface SourceFile {
  /** Relative to the site's folder. */
  name: string;
  /** Changes with the content. */
  version: string;
  /** Null if it is not a page. */
  checksum: FileChecksum | null;
}

export interface Source {
  folder: string;
  publicUrl: string;
  files: readonly SourceFile[];
}

/** The site changed while it was being read. Reading it again may succeed. */
export class SiteChanged extends Error {
  override name = 'SiteChanged';
}

/** An earlier version of this program published the site, so its manifest lacks `files`. */
export class OutdatedSite extends Error {
  override name = 'OutdatedSite';
}

/**
 * Lists the published files. Pages come from the manifest, which records a change after the files
 * are replaced: if a page's file differs from its record, it is being published right now.
 * @param isOmitted selects pages to omit
 * @returns null if no site is published
 * @throws {SiteChanged} @throws {OutdatedSite}
 */
export async function openSource(
  dataDir: string,
  isOmitted: IsRedirectPage,
): Promise<Source | null> {
  let folder: string;
  try {
    folder = join(dataDir, await readlink(siteFolder(dataDir)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const manifest = await readManifest(manifestFile(folder));
  // Another release may have replaced it.
  if (!manifest) throw new SiteChanged('the manifest is missing or malformed');
  if (!manifest.origin.files) throw new OutdatedSite();
  const pages: SourceFile[] = [];
  for (const [path, page] of manifest.pages) {
    const name = fileOf(path) ?? '';
    if (!isOmitted(path, page.version)) {
      const version = `${versionOf(page)} ${await statOf(folder, name)}`;
      pages.push({ name, version, checksum: page.file });
    }
  }
  // Pages last, because they are most likely to have to be read again.
  const built = new Set(manifest.origin.files);
  const files = [...(await otherFiles(folder, built)), ...pages];
  return { folder, publicUrl: manifest.origin.publicUrl, files };
}

const versionOf = ({ file, version }: PageRecord): string => file?.hash ?? version;

/** Reveals a file that was replaced before the manifest says so. @throws {SiteChanged} */
async function statOf(folder: string, name: string): Promise<string> {
  try {
    const { size, mtimeMs } = await stat(join(folder, name));
    return `${size} ${mtimeMs}`;
  } catch (error) {
    throw whenMissing(error);
  }
}

/** Only known files, because others may be pages that the manifest does not have yet. */
async function otherFiles(folder: string, built: ReadonlySet<string>): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  try {
    for (const name of await listFiles(folder)) {
      const isKnown = built.has(name) || isHashedAsset(name) || isCard(name);
      if (!isKnown) continue;
      files.push({ name, version: await statOf(folder, name), checksum: null });
    }
  } catch (error) {
    throw whenMissing(error);
  }
  return files;
}

/** @throws {SiteChanged} if a page does not match the manifest */
export async function readSource(
  { folder }: Pick<Source, 'folder'>,
  { name, checksum }: SourceFile,
): Promise<Buffer> {
  try {
    const bytes = await readFile(join(folder, name));
    if (checksum && checksumOf(bytes).hash !== checksum.hash) throw new SiteChanged(name);
    return bytes;
  } catch (error) {
    throw whenMissing(error);
  }
}

const whenMissing = (error: unknown): unknown => {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' ? new SiteChanged(message) : error;
};
