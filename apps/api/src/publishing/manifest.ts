import { type FileHandle, open, readFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Card } from '@app/contract/pages';
import * as v from 'valibot';
import { fileOf } from '../server/site-files.ts';
import { replaceFiles } from './atomic-files.ts';

/** What a release was made from; another build or address makes every file of it stale. */
export interface ReleaseOrigin {
  buildId: string;
  publicUrl: string;
  /** The build's hashed files, from the release's folder. */
  assets: string[];
}

/** What a release knows of a page: what it shows, the card that it refers to, and its file. */
export interface PageRecord {
  /** A post's id and revision, a sample, or '' where the path says it all. */
  version: string;
  card: Card | null;
  /** Of the uncompressed file; null in a manifest that was written before these were recorded. */
  file: FileFacts | null;
}

/** What a file is verified against. */
export interface FileFacts {
  /** In bytes. */
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
  /** Null when the page is gone. */
  version: v.nullable(v.string()),
  card: v.optional(v.object({ path: v.string(), title: v.string() })),
  file: v.optional(v.object({ size: v.number(), hash: v.string() })),
});

/** How many lines are read or written before the event loop gets a turn. */
const linesAtOnce = 500;

/**
 * Which pages a release holds, and what each one shows. A file beside the release, its first
 * line where the release comes from, then a line a change. Appending costs the same at any
 * number of pages. It lies with the files it speaks of, not in the database, so
 * that a restored backup of either is seen for what it is.
 */
export class Manifest {
  readonly origin: ReleaseOrigin;
  /** How many lines could not be understood when it was read; their pages are as good as unknown. */
  readonly malformedLines: number;
  readonly #entries = new Map<string, PageRecord>();
  /** How many pages refer to a card, with its title. */
  readonly #cards = new Map<string, { title: string; pages: number }>();
  readonly #handle: FileHandle;
  /** After a failed write: whatever is on the disk of it is ended by a line break. */
  #endsInHalfALine = false;

  private constructor(origin: ReleaseOrigin, handle: FileHandle, malformedLines = 0) {
    this.origin = origin;
    this.#handle = handle;
    this.malformedLines = malformedLines;
  }

  static async create(file: string, origin: ReleaseOrigin): Promise<Manifest> {
    await replaceFiles(new Map([[file, Buffer.from(`${JSON.stringify(origin)}\n`)]]));
    return new Manifest(origin, await open(file, 'a'));
  }

  /** Null when there is none, or none that can be read. */
  static async read(file: string): Promise<Manifest | null> {
    let lines: string[];
    try {
      lines = (await readFile(file, 'utf8')).split('\n');
    } catch {
      return null;
    }
    const origin = parseLine(originLine, lines[0]);
    if (!origin) return null;

    // A crash can leave half a line at the end. Its job is still there and does it again.
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

  /** Every card that a page refers to: title by path. */
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
   * Records changes; null takes a page out. They are on the disk when this resolves. When it
   * rejects they hold for this process all the same, for the files are what they say.
   */
  async record(changes: ReadonlyMap<string, PageRecord | null>): Promise<void> {
    const lines: string[] = [];
    for (const [path, entry] of changes) {
      this.#set(path, entry);
      lines.push(`${lineOf(path, entry)}\n`);
      if (lines.length === linesAtOnce) {
        await this.#append(lines.splice(0).join(''));
        await nextTurn();
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
    const former = before && this.#cards.get(before.path);
    if (former) {
      former.pages -= 1;
      if (former.pages === 0) this.#cards.delete(before.path);
    }
    if (entry === null) this.#entries.delete(path);
    else this.#entries.set(path, entry);
  }

  async #append(text: string): Promise<void> {
    const start = this.#endsInHalfALine ? '\n' : '';
    this.#endsInHalfALine = true;
    await this.#handle.appendFile(start + text);
    this.#endsInHalfALine = false;
  }
}

/** What the lines come to; each one says more than those before it. */
async function readLines(lines: readonly string[]) {
  const entries = new Map<string, PageRecord>();
  let changes = 0;
  let malformed = 0;
  for (const [index, text] of lines.entries()) {
    if (index % linesAtOnce === 0) await nextTurn();
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
    if (lines.length % linesAtOnce === 0) await nextTurn();
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
