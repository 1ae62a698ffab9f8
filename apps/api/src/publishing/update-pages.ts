import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { placeFiles, removeFiles, syncFolders } from './atomic-files.ts';
import type { Manifest, PageRecord } from './manifest.ts';
import { listPaths, monthIndexPaths, monthOfPath, type Pages, samplePaths } from './pages.ts';
import type { Press } from './press.ts';
import type { Release } from './release.ts';
import type { Renderer } from './renderer.ts';
import { fileOf } from './site-files.ts';

/** What pages are made with: what they show, who draws them, who writes them. */
export interface PageSource {
  pages: Pages;
  renderer: Renderer;
  press: Press;
}

/**
 * Makes the files of the paths, and of the pages that follow from them, what they
 * should be. Gives all paths that it looked at.
 */
export async function updatePages(
  { folder, manifest }: Release,
  paths: Iterable<string>,
  { pages, renderer, press }: PageSource,
): Promise<Set<string>> {
  const todo = new Set(paths);
  if (showsSamples(manifest) !== pages.showsSamples()) {
    for (const path of [...samplePaths, ...listPaths, ...monthIndexPaths]) todo.add(path);
  }

  const gone: string[] = [];
  const changes = new Map<string, PageRecord | null>();
  const staging: Promise<string[]>[] = [];
  // The set grows while it is walked: a month that comes or goes brings the pages that name it.
  for (const path of todo) {
    const page = await pages.at(path);
    const comesOrGoes = (page === null) !== (manifest.get(path) === undefined);
    if (comesOrGoes && monthOfPath(path)) for (const index of monthIndexPaths) todo.add(index);

    const file = join(folder, fileOf(path) ?? '');
    if (page === null) {
      changes.set(path, null);
      gone.push(file, `${file}.br`, `${file}.gz`);
      continue;
    }
    const { bytes, card } = await renderer.render(path, page.data);
    changes.set(path, { version: page.version, card });
    // Compressed and written in other threads, while this one renders the next page.
    staging.push(press.run({ file, bytes, effort: 'page', as: 'staged' }));
  }

  const staged = await Promise.all(staging);
  await placeFiles(staged.flat());
  await removeFiles(gone);
  await syncFolders(gone.map(dirname).filter((path) => existsSync(path)));
  await manifest.record(changes);
  return todo;
}

const showsSamples = (manifest: Manifest): boolean =>
  samplePaths.some((path) => manifest.get(path)?.version.startsWith('sample:'));
