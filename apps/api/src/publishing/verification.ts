import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { batchesOf } from '../batches.ts';
import { listFiles, type Release } from './release.ts';
import { pageFile } from './update-pages.ts';
import type { ExpectedFile } from './verify-files.ts';
import type { WorkerPool } from './worker-pool.ts';

const batchSize = 20;
const pauseMilliseconds = 50;

export interface Damage {
  pages: string[];
  /** Pages without a checksum, because an older version wrote the manifest. */
  unrecorded: string[];
  statics: string[];
}

interface Verification {
  release: Release;
  workerPool: WorkerPool;
  staticFiles: string;
  repair(suspects: Damage): Promise<void>;
  signal: AbortSignal;
}

/** Verifies all files in small batches with pauses, because it competes with requests. */
export async function verifyRelease(verification: Verification): Promise<void> {
  const { release, staticFiles, repair, signal } = verification;
  const pages = [...release.manifest.paths()];
  const statics = await listFiles(staticFiles);
  const batches = [
    ...batchesOf(pages, batchSize).map((batch) => ({ pages: batch, statics: [] })),
    ...batchesOf(statics, batchSize).map((batch) => ({ pages: [], statics: batch })),
  ];
  for (const batch of batches) {
    if (signal.aborted) return;
    const damage = await findDamage(verification, batch);
    if (Object.values(damage).some((names) => names.length > 0)) await repair(damage);
    await pause(pauseMilliseconds, undefined, { ref: false });
  }
}

export async function findDamage(
  {
    release,
    workerPool,
    staticFiles,
  }: Pick<Verification, 'release' | 'workerPool' | 'staticFiles'>,
  suspects: { pages: readonly string[]; statics: readonly string[] },
): Promise<Damage> {
  const { folder, manifest } = release;
  const { publicUrl } = manifest.origin;
  const unrecorded: string[] = [];
  const files: (ExpectedFile & { page?: string; name?: string })[] = [];
  for (const page of suspects.pages) {
    const record = manifest.get(page);
    if (record?.file) files.push({ file: pageFile(release, page), expected: record.file, page });
    else if (record) unrecorded.push(page);
  }
  for (const name of suspects.statics) {
    const expected = { builtFile: join(staticFiles, name), publicUrl };
    files.push({ file: join(folder, name), expected, name });
  }
  const damaged = new Set(files.length > 0 ? await workerPool.verify(files) : []);
  const found = files.filter(({ file }) => damaged.has(file));
  return {
    pages: found.flatMap(({ page }) => page ?? []),
    statics: found.flatMap(({ name }) => name ?? []),
    unrecorded,
  };
}
