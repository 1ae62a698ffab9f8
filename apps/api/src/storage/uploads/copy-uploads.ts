import { createHash } from 'node:crypto';
import type { Progress } from '../../cli/progress.ts';
import { S3Error } from '../../s3/errors.ts';
import { readAhead } from './read-ahead.ts';
import type { StoredUpload, UploadStore } from './upload-store.ts';

const filesAtOnce = 8;

export interface CopiedUploads {
  files: number;
  /** In the source, like `files`. */
  bytes: number;
  copied: number;
  /** Files that the target already had with the same bytes. */
  existing: number;
  /** Files that were deleted from the source after it was listed. */
  gone: number;
}

/**
 * Copies all files from one store to another. Verifies each by reading it back, or by the MD5 if the
 * target already has it. Another run copies only the rest.
 * @throws {S3Error}
 */
export async function copyUploads(
  from: UploadStore,
  to: UploadStore,
  { signal, onProgress }: { signal: AbortSignal; onProgress: Progress },
): Promise<CopiedUploads> {
  const present = new Map((await all(to)).map((file) => [file.name, file]));
  const files = await all(from);
  const result: CopiedUploads = {
    files: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    ...{ copied: 0, existing: 0, gone: 0 },
  };
  let done = 0;
  const copying = readAhead(files, filesAtOnce, async (file) => {
    signal.throwIfAborted();
    return copyOne(file, { from, to, existing: present.get(file.name) });
  });
  for await (const [{ bytes }, outcome] of copying) {
    result[outcome] += 1;
    done += bytes;
    onProgress(done / Math.max(result.bytes, 1));
  }
  return result;
}

async function all(store: UploadStore): Promise<StoredUpload[]> {
  const files: StoredUpload[] = [];
  for await (const file of store.list()) files.push(file);
  return files;
}

async function copyOne(
  { name, md5 }: StoredUpload,
  {
    from,
    to,
    existing,
  }: { from: UploadStore; to: UploadStore; existing?: StoredUpload | undefined },
): Promise<'copied' | 'existing' | 'gone'> {
  if (existing && md5 !== null && existing.md5 === md5) return 'existing';
  const bytes = await from.read(name);
  if (!bytes) return 'gone';
  if (existing && (await hasBytes(to, existing, bytes))) return 'existing';
  await to.write(name, bytes);
  if ((await to.read(name))?.equals(bytes)) return 'copied';
  throw new S3Error(`${name} does not match what was written: run the command again`);
}

async function hasBytes(store: UploadStore, { name, md5 }: StoredUpload, bytes: Buffer) {
  if (md5 === createHash('md5').update(bytes).digest('hex')) return true;
  return (await store.read(name))?.equals(bytes) ?? false;
}
