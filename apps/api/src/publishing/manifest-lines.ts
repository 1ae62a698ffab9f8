import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Card } from '@app/contract/pages';
import * as v from 'valibot';
import { fileOf } from '../server/site-files.ts';

/** What a release was rendered from; another build or public URL makes all its files stale. */
export interface ReleaseOrigin {
  buildId: string;
  publicUrl: string;
  /** Hashed files of the build. */
  assets: string[];
  /** Those of earlier builds, with the time at which a build without them replaced them. */
  retired: Record<string, number>;
  /** All of the build. Missing in manifests of older versions. */
  files?: string[] | undefined;
}

export interface PageRecord {
  /** A post's id and revision, a sample, or '' for a page that only its path identifies. */
  version: string;
  card: Card | null;
  /** Of the uncompressed file; null in manifests of older versions. */
  file: FileChecksum | null;
  /** Compressed in a hurry, see recompression.ts. */
  isLight: boolean;
  /** Rendered by another build than its release, or for another public URL. */
  isOfOtherBuild: boolean;
}

export interface FileChecksum {
  size: number;
  /** SHA-256, base64url. */
  hash: string;
}

/** A page that could not be updated. Its old file is served, if there is one. */
export interface FailedUpdate {
  attempts: number;
  /** Milliseconds since 1970. */
  nextAttemptAt: number;
  reason: string;
}

/** What the lines of a manifest say together. */
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

/** An updated page. It has not failed since. */
const pageLine = v.object({
  path,
  /** Null when the page was removed. */
  version: v.nullable(v.string()),
  card: v.optional(v.object({ path: v.string(), title: v.string() })),
  file: v.optional(v.object({ size: v.number(), hash: v.string() })),
  isLight: v.optional(v.boolean()),
  isOfOtherBuild: v.optional(v.boolean()),
});

const failureLine = v.object({
  path,
  failure: v.object({ attempts: v.number(), nextAttemptAt: v.number(), reason: v.string() }),
});

const jobsLine = v.object({ jobs: v.number() });

const changeLine = v.union([pageLine, failureLine, jobsLine]);

/** Lines per turn of the event loop. */
export const batchSize = 500;

const lineBreak = 0x0a;

/** A crash can leave a partial last line. */
export const endsInPartialLine = (bytes: Buffer): boolean => bytes.at(-1) !== lineBreak;

/** Without a partial last line. One at a time: the whole text would occupy memory for long. */
function* linesOf(bytes: Buffer): Generator<string, undefined> {
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(lineBreak, start);
    if (end === -1) return;
    yield bytes.toString('utf8', start, end);
    start = end + 1;
  }
}

/** Null without a valid first line. */
export async function readLines(bytes: Buffer) {
  const lines = linesOf(bytes);
  const origin = parseLine(originLine, lines.next().value);
  if (!origin) return null;
  const content: ManifestContent = { pages: new Map(), failures: new Map(), jobs: 0 };
  let read = 0;
  let malformed = 0;
  for (const text of lines) {
    read += 1;
    if (read % batchSize === 0) await yieldToEventLoop();
    if (text === '') continue;
    const line = parseLine(changeLine, text);
    if (line) addLine(content, line);
    else malformed += 1;
  }
  return { origin, content, lines: read, malformed };
}

function addLine(content: ManifestContent, line: v.InferOutput<typeof changeLine>): void {
  if ('jobs' in line) {
    content.jobs = line.jobs;
  } else if ('failure' in line) {
    content.failures.set(line.path, line.failure);
  } else {
    const { path: at, version, card = null, file = null } = line;
    const { isLight = false, isOfOtherBuild = false } = line;
    content.failures.delete(at);
    if (version === null) content.pages.delete(at);
    else content.pages.set(at, { version, card, file, isLight, isOfOtherBuild });
  }
}

/** All lines but the origin's. */
export function* linesFor({ pages, failures, jobs }: ManifestContent): Generator<string> {
  for (const [at, page] of pages) yield lineOfPage(at, page);
  for (const [at, failure] of failures) yield lineOfFailure(at, failure);
  if (jobs > 0) yield lineOfJobs(jobs);
}

export function lineOfPage(at: string, page: PageRecord | null): string {
  const { version, card, file, isLight, isOfOtherBuild } = page ?? { version: null };
  return JSON.stringify({
    path: at,
    version,
    ...(card && { card }),
    ...(file && { file }),
    ...(isLight && { isLight }),
    ...(isOfOtherBuild && { isOfOtherBuild }),
  } satisfies v.InferInput<typeof pageLine>);
}

export const lineOfFailure = (at: string, failure: FailedUpdate): string =>
  JSON.stringify({ path: at, failure } satisfies v.InferInput<typeof failureLine>);

export const lineOfJobs = (jobs: number): string =>
  JSON.stringify({ jobs } satisfies v.InferInput<typeof jobsLine>);

function parseLine<Schema extends v.GenericSchema>(
  schema: Schema,
  text: string | undefined,
): v.InferOutput<Schema> | null {
  try {
    const result = v.safeParse(schema, JSON.parse(text ?? ''));
    return result.success ? result.output : null;
  } catch {
    return null;
  }
}
