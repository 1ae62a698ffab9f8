import { type FileHandle, open, readFile } from 'node:fs/promises';
import type { Card } from '@app/contract/pages';
import { replaceFiles } from './atomic-files.ts';

/** What a release was made from; another build or address makes every file of it stale. */
export interface ReleaseOrigin {
  buildId: string;
  publicUrl: string;
  /** The build's hashed files, from the release's folder. */
  assets: string[];
}

/** What a release knows of a page: what it shows, and the card that it refers to. */
export interface PageRecord {
  /** A post's id and version, a sample, or '' where the path says it all. */
  version: string;
  card: Card | null;
}

interface Line {
  path: string;
  /** Null when the page is gone. */
  version: string | null;
  card?: Card;
}

/**
 * Which pages a release holds, and what each one shows. A file beside the release, its first
 * line where the release comes from, then a line a change. Appending costs the same at any
 * number of pages. It lies with the files it speaks of, not in the database, so
 * that a restored backup of either is seen for what it is.
 */
export class Manifest {
  readonly origin: ReleaseOrigin;
  readonly #entries: Map<string, PageRecord>;
  #handle: FileHandle;

  private constructor(origin: ReleaseOrigin, entries: Map<string, PageRecord>, handle: FileHandle) {
    this.origin = origin;
    this.#entries = entries;
    this.#handle = handle;
  }

  static async create(file: string, origin: ReleaseOrigin): Promise<Manifest> {
    await replaceFiles(new Map([[file, Buffer.from(`${JSON.stringify(origin)}\n`)]]));
    return new Manifest(origin, new Map(), await open(file, 'a'));
  }

  /** Null when there is none, or none that can be read. */
  static async read(file: string): Promise<Manifest | null> {
    let lines: string[];
    try {
      lines = (await readFile(file, 'utf8')).split('\n');
    } catch {
      return null;
    }
    const origin = parseLine<ReleaseOrigin>(lines[0]);
    if (!origin) return null;

    const entries = new Map<string, PageRecord>();
    let changes = 0;
    for (const text of lines.slice(1)) {
      // A crash can leave half a line at the end. Its job is still there and does it again.
      const line = parseLine<Line>(text);
      if (!line) continue;
      changes += 1;
      if (line.version === null) entries.delete(line.path);
      else entries.set(line.path, { version: line.version, card: line.card ?? null });
    }
    if (changes > 2 * entries.size + 1_000) {
      const kept = [...entries].map(([path, entry]) => lineOf(path, entry));
      const text = `${[JSON.stringify(origin), ...kept].join('\n')}\n`;
      await replaceFiles(new Map([[file, Buffer.from(text)]]));
    }
    const handle = await open(file, 'a');
    // Ends a half line, so that the next one starts afresh; an empty line says nothing.
    await handle.appendFile('\n');
    return new Manifest(origin, entries, handle);
  }

  get(path: string): PageRecord | undefined {
    return this.#entries.get(path);
  }

  /** Every card that a page refers to: title by path. */
  cards(): Map<string, string> {
    const cards = new Map<string, string>();
    for (const { card } of this.#entries.values()) if (card) cards.set(card.path, card.title);
    return cards;
  }

  paths(): MapIterator<string> {
    return this.#entries.keys();
  }

  /** Records changes; null takes a page out. They are on the disk when this resolves. */
  async record(changes: ReadonlyMap<string, PageRecord | null>): Promise<void> {
    if (changes.size === 0) return;
    const lines = [...changes].map(([path, entry]) => `${lineOf(path, entry)}\n`);
    await this.#handle.appendFile(lines.join(''));
    await this.#handle.datasync();
    for (const [path, entry] of changes) {
      if (entry === null) this.#entries.delete(path);
      else this.#entries.set(path, entry);
    }
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

function lineOf(path: string, entry: PageRecord | null): string {
  const { version, card } = entry ?? { version: null, card: null };
  return JSON.stringify({ path, version, ...(card && { card }) } satisfies Line);
}

function parseLine<T>(text: string | undefined): T | null {
  try {
    return JSON.parse(text ?? '') as T;
  } catch {
    return null;
  }
}
