import { type FileHandle, open, readFile } from 'node:fs/promises';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Card } from '@app/contract/pages';
import * as v from 'valibot';
import { fileOf } from '../server/site-files.ts';
import { replaceFiles } from './atomic-files.ts';

/** What a release was rendered from; another build or public URL makes all its files stale. */
export interface ReleaseOrigin {
  buildId: string;
  publicUrl: string;
  assets: string[];
}

export interface PageRecord {
  /** A post's id and revision, a sample, or '' for a page that only its path identifies. */
  version: string;
  card: Card | null;
  /** Of the uncompressed file; null in manifests of older versions. */
  file: FileChecksum | null;
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
    let lines: string[];
    try {
      lines = (await readFile(file, 'utf8')).split('\n');
    } catch {
      return null;
    }
    const origin = parseLine(originLine, lines[0]);
    if (!origin) return null;

    // A crash can leave a partial last line. Its publish job still exists and is repeated.
    const last = lines.pop();
    const { entries, changes, malformed } = await readLines(lines.slice(1));
    if (last !== '' || malformed > 0 || changes > 2 * entries.size + 1_000) {
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
    const lines: string[] = [];
    for (const [path, entry] of changes) {
      this.#set(path, entry);
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

  async #append(text: string): Promise<void> {
    const start = this.#hasPartialLine ? '\n' : '';
    this.#hasPartialLine = true;
    await this.#handle.appendFile(start + text);
    this.#hasPartialLine = false;
  }
}

async function readLines(lines: readonly string[]) {
  const entries = new Map<string, PageRecord>();
  let changes = 0;
  let malformed = 0;
  for (const [index, text] of lines.entries()) {
    if (index % batchSize === 0) await yieldToEventLoop();
    if (text === '') continue;
    const line = parseLine(pageLine, text);
    if (!line) {
      malformed += 1;
      continue;
    }
    changes += 1;
    const { path, version, card = null, file = null } = line;
    if (version === null) entries.delete(path);
    else entries.set(path, { version, card, file });
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
  const { version, card, file } = entry ?? { version: null, card: null, file: null };
  return JSON.stringify({
    path,
    version,
    ...(card && { card }),
    ...(file && { file }),
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
