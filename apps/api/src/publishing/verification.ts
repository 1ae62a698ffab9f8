import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { listFiles, type Release } from './release.ts';
import { pageFile } from './update-pages.ts';
import type { ExpectedFile } from './verify-files.ts';
import type { Press } from './worker-pool.ts';

/** How many files are read together, and how long the disk then rests, in milliseconds. */
const filesAtOnce = 20;
const restMilliseconds = 50;

export interface Damage {
  /** Pages whose files are not what was recorded of them. */
  pages: string[];
  /** Pages of which an earlier version of the program recorded nothing to compare with. */
  unrecorded: string[];
  /** Files of the build, by name. */
  statics: string[];
}

interface Verification {
  release: Release;
  press: Press;
  /** The folder of the build's files. */
  staticFiles: string;
  /** Looks again while nothing changes, and repairs. */
  repair(suspects: Damage): Promise<void>;
  signal: AbortSignal;
}

/** Reads every published file of a release, slowly, and has those repaired that are not as they should be. */
export async function verifyRelease(verification: Verification): Promise<void> {
  const { release, staticFiles, repair, signal } = verification;
  const pages = [...release.manifest.paths()];
  const statics = await listFiles(staticFiles);
  const parts = [
    ...chunks(pages).map((part) => ({ pages: part, statics: [] })),
    ...chunks(statics).map((part) => ({ pages: [], statics: part })),
  ];
  for (const part of parts) {
    if (signal.aborted) return;
    const damage = await findDamage(verification, part);
    if (Object.values(damage).some((names) => names.length > 0)) await repair(damage);
    await pause(restMilliseconds, undefined, { ref: false });
  }
}

/** Which of some pages and files of the build are not what they should be at this moment. */
export async function findDamage(
  { release, press, staticFiles }: Pick<Verification, 'release' | 'press' | 'staticFiles'>,
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
  const damaged = new Set(files.length > 0 ? await press.verify(files) : []);
  const found = files.filter(({ file }) => damaged.has(file));
  return {
    pages: found.flatMap(({ page }) => page ?? []),
    statics: found.flatMap(({ name }) => name ?? []),
    unrecorded,
  };
}

const chunks = (names: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(names.length / filesAtOnce) }, (_, index) =>
    names.slice(index * filesAtOnce, (index + 1) * filesAtOnce),
  );
