import { hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Card } from '@app/contract/pages';
import * as v from 'valibot';
import { parseJson } from '../parse-json.ts';
import { fileOf } from '../server/site-files.ts';

/** What a release was rendered from; another build or public URL makes all its files stale. */
export interface ReleaseOrigin {
  buildId: string;
  publicUrl: string;
  assets: string[];
  /** Assets of earlier builds, with the time at which a build without them was published. */
  retired: Record<string, number>;
  /** All files of the build. Missing in manifests of older versions. */
  files?: string[] | undefined;
}

export interface PageRecord {
  /** A post's id and revision, a sample, or '' for a page that is identified by its path alone. */
  version: string;
  card: Card | null;
  /** Null in manifests of older versions. */
  file: FileChecksum | null;
  /** Rendered by another build than its release, or for another public URL. */
  isOfOtherBuild: boolean;
}

export interface FileChecksum {
  size: number;
  /** SHA-256, base64url. */
  hash: string;
}

export const checksumOf = (bytes: Uint8Array): FileChecksum => ({
  size: bytes.length,
  hash: hash('sha256', bytes, 'base64url'),
});

/** A page that could not be updated. Its old file is served, if there is one. */
export interface FailedUpdate {
  attempts: number;
  /** Milliseconds since 1970. */
  nextAttemptAt: number;
  reason: string;
}

export interface ManifestContent {
  pages: Map<string, PageRecord>;
  failures: Map<string, FailedUpdate>;
  /** See `Manifest.jobs`. */
  jobs: number;
}

const originLine = v.object({
  buildId: v.string(),
  publicUrl: v.string(),
  assets: v.array(v.string()),
  // Missing in manifests of older versions.
  retired: v.optional(v.record(v.string(), v.number()), {}),
  files: v.optional(v.array(v.string())),
});

const path = v.pipe(
  v.string(),
  v.check((text) => fileOf(text) !== null),
);

/** An updated page. Ends an earlier failure. */
interface PageLine {
  path: string;
  /** Null when the page was removed. */
  version: string | null;
  card?: Card;
  file?: FileChecksum;
  isOfOtherBuild?: boolean;
}

const failureLine = v.object({
  path,
  failure: v.object({ attempts: v.number(), nextAttemptAt: v.number(), reason: v.string() }),
});

const jobsLine = v.object({ jobs: v.number() });

const otherLine = v.union([failureLine, jobsLine]);

interface ManifestLines {
  origin: ReleaseOrigin;
  content: ManifestContent;
  /** Number of lines after the origin. */
  lines: number;
  malformed: number;
  /** A crash can leave a partial last line. */
  endsInPartialLine: boolean;
}

/**
 * Reads the file in parts, because the whole text would take up memory for a long time.
 * @returns null without a valid first line
 */
export async function readLines(file: string): Promise<ManifestLines | null> {
  const content: ManifestContent = { pages: new Map(), failures: new Map(), jobs: 0 };
  let origin: ReleaseOrigin | null = null;
  let lines = 0;
  let malformed = 0;
  let partial = '';
  for await (const part of createReadStream(file, { encoding: 'utf8' })) {
    const texts = `${partial}${part}`.split('\n');
    partial = texts.pop() ?? '';
    if (!origin && texts.length > 0) {
      origin = parseOrigin(texts.shift());
      if (!origin) return null;
    }
    for (const text of texts) {
      lines += 1;
      if (text !== '' && !addLine(content, text)) malformed += 1;
    }
  }
  return origin && { origin, content, lines, malformed, endsInPartialLine: partial !== '' };
}

/** @returns false for a malformed line */
function addLine(content: ManifestContent, text: string): boolean {
  const line = parseJson(text);
  if (isPageLine(line)) {
    const { path: at, version, card = null, file = null } = line;
    const { isOfOtherBuild = false } = line;
    content.failures.delete(at);
    if (version === null) content.pages.delete(at);
    else content.pages.set(at, { version, card, file, isOfOtherBuild });
    return true;
  }
  const { success, output } = v.safeParse(otherLine, line);
  if (!success) return false;
  if ('jobs' in output) content.jobs = output.jobs;
  else content.failures.set(output.path, output.failure);
  return true;
}

/** All lines but the origin's. */
export function* linesFor({ pages, failures, jobs }: ManifestContent): Generator<string> {
  for (const [at, page] of pages) yield lineOfPage(at, page);
  for (const [at, failure] of failures) yield lineOfFailure(at, failure);
  if (jobs > 0) yield lineOfJobs(jobs);
}

export function lineOfPage(at: string, page: PageRecord | null): string {
  const { version, card, file, isOfOtherBuild } = page ?? { version: null };
  return JSON.stringify({
    path: at,
    version,
    ...(card && { card }),
    ...(file && { file }),
    ...(isOfOtherBuild && { isOfOtherBuild }),
  } satisfies PageLine);
}

export const lineOfFailure = (at: string, failure: FailedUpdate): string =>
  JSON.stringify({ path: at, failure } satisfies v.InferInput<typeof failureLine>);

export const lineOfJobs = (jobs: number): string =>
  JSON.stringify({ jobs } satisfies v.InferInput<typeof jobsLine>);

function parseOrigin(text: string | undefined): ReleaseOrigin | null {
  const { success, output } = v.safeParse(originLine, parseJson(text ?? ''));
  return success ? output : null;
}

/** Without valibot, which copies each of tens of thousands of lines and takes twice as long. */
function isPageLine(line: unknown): line is PageLine {
  if (typeof line !== 'object' || line === null) return false;
  const { path: at, version, card, file, isOfOtherBuild } = line as Partial<PageLine>;
  return (
    typeof at === 'string' &&
    fileOf(at) !== null &&
    (version === null || typeof version === 'string') &&
    (card === undefined || (typeof card?.path === 'string' && typeof card.title === 'string')) &&
    (file === undefined || (typeof file?.size === 'number' && typeof file.hash === 'string')) &&
    (isOfOtherBuild === undefined || typeof isOfOtherBuild === 'boolean')
  );
}
