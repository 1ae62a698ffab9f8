import { type FileHandle, open, readFile } from 'node:fs/promises';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Card } from '@app/contract/pages';
import pLimit from 'p-limit';
import * as v from 'valibot';
import { fileOf } from '../server/site-files.ts';
import { unlessMissing } from '../unless-missing.ts';
import { replaceFiles } from './atomic-files.ts';

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

const originLine = v.object({
  buildId: v.string(),
  publicUrl: v.string(),
  assets: v.array(v.string()),
  // Missing in manifests of older versions.
  retired: v.optional(v.record(v.string(), v.number()), {}),
  files: v.optional(v.array(v.string())),
});

const pageLine = v.object({
  path: v.pipe(
    v.string(),
    v.check((path) => fileOf(path) !== null),
  ),
  /** Null when the page was removed. */
  version: v.nullable(v.string()),
  card: v.optional(v.object({ path: v.string(), title: v.string() })),
  file: v.optional(v.object({ size: v.number(), hash: v.string() })),
  isLight: v.optional(v.boolean()),
  isOfOtherBuild: v.optional(v.boolean()),
});

/** Lines per turn of the event loop. */
const batchSize = 500;

/**
 * Which pages a release has, and their versions. An append-only file next to the release: the first
 * line is its origin, each other line a change. Not in the database, so that it always matches the
 * files, also after restoring a backup of the database.
 */
export class Manifest {
  readonly origin: ReleaseOrigin;
  /** Their pages count as missing. */
  readonly malformedLines: number;
  readonly #entries = new Map<string, PageRecord>();
  /** Title and number of pages, by card. */
  readonly #cards = new Map<string, { title: string; pages: number }>();
  readonly #handle: FileHandle;
  readonly #lock = pLimit(1);
  /** After a failed write, which the next one ends with a line break. */
  #hasPartialLine = false;

  private constructor(origin: ReleaseOrigin, handle: FileHandle, malformedLines = 0) {
    this.origin = origin;
    this.#handle = handle;
    this.malformedLines = malformedLines;
  }

  static async create(file: string, origin: ReleaseOrigin): Promise<Manifest> {
    await replaceFiles(new Map([[file, Buffer.from(`${JSON.stringify(origin)}\n`)]]));
    return new Manifest(origin, await open(file, 'a'));
  }

  static async read(file: string): Promise<Manifest | null> {
    let bytes: Buffer;
    try {
      bytes = await readFile(file);
    } catch {
      return null;
    }
    const lines = linesOf(bytes);
    const origin = parseLine(originLine, lines.next().value);
    if (!origin) return null;

    // A crash can leave a partial last line. Its publish job still exists and is repeated.
    const isPartial = bytes.at(-1) !== lineBreak;
    const { entries, changes, malformed } = await readLines(lines);
    if (isPartial || malformed > 0 || changes > 2 * entries.size + 1_000) {
      await rewrite(file, origin, entries);
    }
    const handle = await open(file, 'a');
    const manifest = new Manifest(origin, handle, malformed);
    for (const [path, entry] of entries) manifest.#set(path, entry);
    return manifest;
  }

  get(path: string): PageRecord | undefined {
    return this.#entries.get(path);
  }

  /** Title by path. */
  cards(): Map<string, string> {
    return new Map(this.#cards.entries().map(([path, { title }]) => [path, title]));
  }

  refersTo(card: string): boolean {
    return this.#cards.has(card);
  }

  paths(): MapIterator<string> {
    return this.#entries.keys();
  }

  /**
   * Records changes; null removes a page. Flushed to the disk when it resolves. When it rejects,
   * the changes still apply in memory, because the files have changed.
   */
  async record(changes: ReadonlyMap<string, PageRecord | null>): Promise<void> {
    this.apply(changes);
    await this.append(changes);
  }

  /** Records changes in memory, for `append`. */
  apply(changes: ReadonlyMap<string, PageRecord | null>): void {
    for (const [path, entry] of changes) this.#set(path, entry);
  }

  /** Flushes applied changes to the disk. */
  async append(changes: ReadonlyMap<string, PageRecord | null>): Promise<void> {
    const lines: string[] = [];
    for (const [path, entry] of changes) {
      lines.push(`${lineOf(path, entry)}\n`);
      if (lines.length === batchSize) {
        await this.#append(lines.splice(0).join(''));
        await yieldToEventLoop();
      }
    }
    if (changes.size === 0) return;
    await this.#append(lines.join(''));
    await this.#handle.datasync();
  }

  /** Records what may be lost in a power cut: it is not flushed. */
  async note(path: string, entry: PageRecord): Promise<void> {
    this.#set(path, entry);
    await this.#append(`${lineOf(path, entry)}\n`);
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  #set(path: string, entry: PageRecord | null): void {
    const before = this.#entries.get(path)?.card;
    const card = entry?.card;
    if (card) {
      const known = this.#cards.get(card.path);
      if (known) known.pages += 1;
      else this.#cards.set(card.path, { title: card.title, pages: 1 });
    }
    const previous = before && this.#cards.get(before.path);
    if (previous) {
      previous.pages -= 1;
      if (previous.pages === 0) this.#cards.delete(before.path);
    }
    if (entry === null) this.#entries.delete(path);
    else this.#entries.set(path, entry);
  }

  #append(text: string): Promise<void> {
    return this.#lock(async () => {
      const start = this.#hasPartialLine ? '\n' : '';
      this.#hasPartialLine = true;
      await this.#handle.appendFile(start + text);
      this.#hasPartialLine = false;
    });
  }
}

/** What the manifest of a server in another process says. Null if it is missing or malformed. */
export async function readManifest(
  file: string,
): Promise<{ origin: ReleaseOrigin; pages: ReadonlyMap<string, PageRecord> } | null> {
  const bytes = await unlessMissing(readFile(file), null);
  const lines = linesOf(bytes ?? Buffer.alloc(0));
  const origin = parseLine(originLine, lines.next().value);
  if (!origin) return null;
  const { entries } = await readLines(lines);
  return { origin, pages: entries };
}

const lineBreak = 0x0a;

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

async function readLines(lines: Iterable<string>) {
  const entries = new Map<string, PageRecord>();
  let read = 0;
  let changes = 0;
  let malformed = 0;
  for (const text of lines) {
    read += 1;
    if (read % batchSize === 0) await yieldToEventLoop();
    if (text === '') continue;
    const line = parseLine(pageLine, text);
    if (!line) {
      malformed += 1;
      continue;
    }
    changes += 1;
    const { path, version, card = null, file = null } = line;
    const { isLight = false, isOfOtherBuild = false } = line;
    if (version === null) entries.delete(path);
    else entries.set(path, { version, card, file, isLight, isOfOtherBuild });
  }
  return { entries, changes, malformed };
}

async function rewrite(
  file: string,
  origin: ReleaseOrigin,
  entries: ReadonlyMap<string, PageRecord>,
): Promise<void> {
  const lines = [JSON.stringify(origin)];
  for (const [path, entry] of entries) {
    lines.push(lineOf(path, entry));
    if (lines.length % batchSize === 0) await yieldToEventLoop();
  }
  await replaceFiles(new Map([[file, Buffer.from(`${lines.join('\n')}\n`)]]));
}

function lineOf(path: string, entry: PageRecord | null): string {
  const { version, card, file, isLight, isOfOtherBuild } = entry ?? { version: null };
  return JSON.stringify({
    path,
    version,
    ...(card && { card }),
    ...(file && { file }),
    ...(isLight && { isLight }),
    ...(isOfOtherBuild && { isOfOtherBuild }),
  } satisfies v.InferInput<typeof pageLine>);
}

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
