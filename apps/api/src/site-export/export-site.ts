import { hash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@app/db/open';
import type { Progress } from '../cli/progress.ts';
import type { IsRedirect } from '../publishing/pages.ts';
import { compress } from '../server/compress.ts';
import { isCompressible } from '../server/compressible.ts';
import { isSibling, siblingEndings } from '../server/site-rules.ts';
import type { Host } from './hosts/host.ts';
import { openSource, readSource, requireUnchanged, SiteChanged, type Source } from './source.ts';
import { openTarget, type Target } from './target.ts';

/** How long to retry while the site changes. Each attempt reuses files that are still current. */
const maxMilliseconds = 60_000;
const pauseMilliseconds = 50;

export interface PublishedSite {
  /** See `apiPathsOf`. */
  apiPaths: readonly string[];
  redirects: (db: Database) => IsRedirect;
}

interface ExportOptions extends PublishedSite {
  dataDir: string;
  db: Database;
  folder: string;
  /** Without one, only the files are exported. */
  host: Host | undefined;
  api: string | undefined;
  onProgress: Progress;
  signal: AbortSignal;
}

interface ExportResult {
  files: number;
  written: number;
  removed: number;
}

/**
 * Copies a consistent state of the published site into a folder, with the configuration of a host.
 * Compresses and writes only what changed since the last export. The folder's files change only
 * after everything is staged.
 * @returns null if no site is published
 * @throws {TargetError} @throws {SiteChanged} if the site kept changing
 */
export async function exportSite(options: ExportOptions): Promise<ExportResult | null> {
  const target = await openTarget(options.folder, options.dataDir);
  try {
    const staged = new Map<string, { version: string; isNew: boolean }>();
    const deadline = performance.now() + maxMilliseconds;
    for (;;) {
      try {
        const next = await stageAll(target, staged, options);
        if (!next) return null;
        const names = Object.keys(next).filter((name) => staged.get(name)?.isNew);
        const removed = await target.commit(inOrder(names), next);
        return { files: Object.keys(next).length, written: names.length, removed };
      } catch (error) {
        if (!(error instanceof SiteChanged) || performance.now() > deadline) throw error;
        await pause(pauseMilliseconds, undefined, { signal: options.signal });
      }
    }
  } finally {
    await target.close();
  }
}

async function stageAll(
  target: Target,
  staged: Map<string, { version: string; isNew: boolean }>,
  options: ExportOptions,
): Promise<Record<string, string> | null> {
  const { dataDir, db, host, api, redirects, onProgress, signal } = options;
  // Redirect pages are needed only if there is no API to redirect.
  const isOmitted: IsRedirect = api === undefined ? () => false : redirects(db);
  const source = await openSource(dataDir, db, isOmitted);
  if (!source) return null;
  const next: Record<string, string> = {};
  const versionOf = (name: string) => staged.get(name)?.version ?? target.files[name];
  const stage = async (name: string, version: string, bytes: Uint8Array) => {
    if (versionOf(name) === version) return;
    staged.set(name, { version, isNew: await target.stage(name, bytes) });
  };

  const hasSiblings = host?.hasSiblings ?? true;
  const namesOf = (name: string) => {
    const codings = hasSiblings && isCompressible(name) ? (['br', 'gzip'] as const) : [];
    return [
      { name: `public/${name}`, coding: null },
      ...codings.map((coding) => ({ name: `public/${name}${siblingEndings[coding]}`, coding })),
    ];
  };
  for (const [index, file] of source.names.entries()) {
    signal.throwIfAborted();
    onProgress(index / source.names.length);
    const names = namesOf(file);
    const bytes = await readSource(source, file);
    const version = hash('sha256', bytes, 'base64url');
    for (const { name } of names) next[name] = version;
    if (names.every(({ name }) => versionOf(name) === version)) continue;
    // Both encodings at once, because the best effort takes a tenth of a second.
    const contents = await Promise.all(
      names.map(({ coding }) => (coding ? compress(bytes, coding, 'best') : bytes)),
    );
    for (const [index, { name }] of names.entries()) {
      await stage(name, version, contents[index] ?? bytes);
    }
  }
  await requireUnchanged(dataDir, db, source);
  for (const [name, text] of Object.entries(configurationOf(source, target, options))) {
    const version = hash('sha256', text, 'base64url');
    next[name] = version;
    await stage(name, version, Buffer.from(text));
  }
  return next;
}

const configurationOf = (
  { publicUrl }: Source,
  { root }: Target,
  { host, api, apiPaths }: ExportOptions,
): Readonly<Record<string, string>> =>
  host === undefined || api === undefined
    ? {}
    : host.configure({
        publicUrl,
        isHttps: publicUrl.startsWith('https:'),
        root: join(root, 'public'),
        api,
        apiPaths,
      });

/** Pages last, because they refer to other files, and siblings before their files. */
const inOrder = (names: readonly string[]): string[] => {
  const isPage = (name: string) => Number(/\.html(?:\.br|\.gz)?$/.test(name));
  return names.toSorted(
    (a, b) => isPage(a) - isPage(b) || Number(isSibling(b)) - Number(isSibling(a)),
  );
};
