import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { lockFolder } from '@app/db/folder-lock';
import { inspectDatabase } from '@app/db/inspect';
import { verifySnapshot } from '@app/db/snapshot';
import { extract } from 'tar-stream';
import { isAvatarPath } from '../../accounts/profile/avatar-files.ts';
import { isPictureFile } from '../../blog/pictures/picture-files.ts';
import { syncFolders } from '../../publishing/atomic-files.ts';
import { containsSite, isInUse } from '../data-folder/contents.ts';
import { finishReplacing, replaceSite, stagingFolder } from '../data-folder/replace.ts';
import type { BackupWork } from './backup.ts';
import { BackupError, type BackupManifest, manifestName, parseManifest } from './manifest.ts';

/** For 500,000 files. */
const manifestBytes = 100_000_000;

export interface Restored {
  manifest: BackupManifest;
  /** The folder with the previous site; null if there was none. */
  previous: string | null;
}

/**
 * Unpacks the backup, checks it against the manifest, and exchanges it with the current site (see
 * `replaceSite`): a killed process leaves the old site or the new one. The next start renders all
 * pages.
 * @param replace whether an existing site may be moved aside
 * @throws {BackupError} without changing DATA_DIR
 */
export async function restoreBackup(work: BackupWork, replace: boolean): Promise<Restored> {
  const { dataDir, file } = work;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const unlock = lockFolder(dataDir);
  if (!unlock) {
    throw new BackupError(`A server works on DATA_DIR ${dataDir}: stop it, then try again`);
  }
  try {
    finishReplacing(dataDir);
    if (!replace && (containsSite(dataDir) || isInUse(join(dataDir, 'site.db')))) {
      throw new BackupError(
        `DATA_DIR ${dataDir} contains a site: set it to an empty folder, or add --replace, which moves the old site aside`,
      );
    }
    const manifest = await unpack(work).catch((error: unknown) => {
      if (error instanceof BackupError) {
        throw new BackupError(`${file} cannot be restored: ${error.message}. Nothing was changed`);
      }
      throw error;
    });
    const incoming = ['site.db', 'uploads'].filter((name) =>
      Object.keys(manifest.files).some((path) => path.split('/')[0] === name),
    );
    return { manifest, previous: replaceSite(dataDir, work.now, incoming) };
  } finally {
    finishReplacing(dataDir);
    unlock();
  }
}

async function unpack(work: BackupWork): Promise<BackupManifest> {
  const { dataDir, file, signal, onProgress } = work;
  const staging = stagingFolder(dataDir);
  mkdirSync(staging, { mode: 0o700 });
  const found: BackupManifest['files'] = {};
  let manifestText: string | null = null;

  onProgress('Unpacking …');
  let shown = performance.now();
  const archive = extract();
  const reading = pipeline(createReadStream(file), createGunzip(), archive, { signal });
  reading.catch(() => undefined);
  try {
    for await (const entry of archive) {
      const { name, type, size = 0 } = entry.header;
      if (name === manifestName && size <= manifestBytes) {
        manifestText = await text(entry);
        continue;
      }
      const isOurs =
        type === 'file' && (name === 'site.db' || isAvatarPath(name) || isPictureFile(name));
      if (!isOurs || name in found) throw new BackupError(`${name} does not belong in it`);
      found[name] = await unpackFile(entry, join(staging, name), signal);
      if (performance.now() - shown > 2_000) {
        shown = performance.now();
        onProgress(`Unpacking files: ${Object.keys(found).length} …`);
      }
    }
    await reading;
  } catch (error) {
    archive.destroy();
    throw explainArchive(error);
  }
  if (manifestText === null) throw new BackupError('it is incomplete, its manifest is missing');
  const manifest = parseManifest(manifestText);
  compare(manifest.files, found);
  onProgress('Checking the database …');
  checkDatabase(join(staging, 'site.db'));
  await syncFolders([staging, ...foldersOf(staging, found)]);
  return manifest;
}

async function unpackFile(
  entry: AsyncIterable<unknown>,
  path: string,
  signal: AbortSignal,
): Promise<{ bytes: number; sha256: string }> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const hash = createHash('sha256');
  let bytes = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const output = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(entry, count, output, { signal });
  return { bytes, sha256: hash.digest('hex') };
}

function compare(wanted: BackupManifest['files'], found: BackupManifest['files']): void {
  for (const name of Object.keys(found)) {
    if (!(name in wanted)) throw new BackupError(`${name} is not in its manifest`);
  }
  for (const [name, { bytes, sha256 }] of Object.entries(wanted)) {
    const file = found[name];
    if (!file) throw new BackupError(`${name} is missing from it`);
    if (file.bytes !== bytes || file.sha256 !== sha256) {
      throw new BackupError(`${name} is not as it was when the backup was made`);
    }
  }
}

function checkDatabase(file: string): void {
  const { state } = inspectDatabase(file);
  if (state === 'newer') {
    throw new BackupError('it was made by a newer version of this program: restore it with that');
  }
  if (state !== 'inUse' && state !== 'unused') {
    throw new BackupError('its database is not one of this program');
  }
  try {
    verifySnapshot(file);
  } catch (error) {
    throw new BackupError((error as Error).message, { cause: error });
  }
}

function foldersOf(staging: string, files: BackupManifest['files']): Set<string> {
  const folders = new Set<string>();
  for (const name of Object.keys(files)) {
    for (let folder = dirname(name); folder !== '.'; folder = dirname(folder)) {
      folders.add(join(staging, folder));
    }
  }
  return folders;
}

/** For zlib and tar errors of a file that is damaged or not an archive. */
function explainArchive(error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (error instanceof BackupError || /^E[A-Z]+$/.test(code) || code === 'ABORT_ERR') return error;
  return new BackupError(`it is damaged or not a backup (${message})`, { cause: error });
}
