import { type FileHandle, open, readFile } from 'node:fs/promises';
import { replaceFiles } from './atomic-files.ts';

/** A page as the publisher last put it in place. */
export interface ManifestEntry {
  /** What it shows: a post's id and version, a sample, or '' where a path says it all. */
  version: string;
  /** SHA-256 of its bytes, hex. */
  hash: string;
}

/** What a release was rendered from; another one makes every file of it stale. */
export interface ReleaseOrigin {
  buildId: string;
  publicUrl: string;
}

type Line = { path: string; entry: ManifestEntry | null };

/**
 * Which pages a release holds: a file beside the release, its first line where
 * the release comes from, then a line a change. Appending costs the same at any
 * number of pages. It lies with the files it speaks of, not in the database, so
 * that a restored backup of either is seen for what it is.
 */
export class Manifest {
  readonly origin: ReleaseOrigin;
  readonly #entries: Map<string, ManifestEntry>;
  #handle: FileHandle;

  private constructor(
    origin: ReleaseOrigin,
    entries: Map<string, ManifestEntry>,
    handle: FileHandle,
  ) {
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

    const entries = new Map<string, ManifestEntry>();
    let changes = 0;
    for (const text of lines.slice(1)) {
      // A crash can leave half a line at the end. Its job is still there and does it again.
      const line = parseLine<Line>(text);
      if (!line) continue;
      changes += 1;
      if (line.entry) entries.set(line.path, line.entry);
      else entries.delete(line.path);
    }
    if (changes > 2 * entries.size + 1_000) {
      const kept = [...entries].map(([path, entry]) => JSON.stringify({ path, entry }));
      const text = `${[JSON.stringify(origin), ...kept].join('\n')}\n`;
      await replaceFiles(new Map([[file, Buffer.from(text)]]));
    }
    const handle = await open(file, 'a');
    // Ends a half line, so that the next one starts afresh; an empty line says nothing.
    await handle.appendFile('\n');
    return new Manifest(origin, entries, handle);
  }

  get(path: string): ManifestEntry | undefined {
    return this.#entries.get(path);
  }

  entries(): IterableIterator<[string, ManifestEntry]> {
    return this.#entries.entries();
  }

  /** Records changes; null takes a page out. They are on the disk when this resolves. */
  async record(changes: ReadonlyMap<string, ManifestEntry | null>): Promise<void> {
    if (changes.size === 0) return;
    const lines = [...changes].map(([path, entry]) => `${JSON.stringify({ path, entry })}\n`);
    await this.#handle.appendFile(lines.join(''));
    await this.#handle.datasync();
    for (const [path, entry] of changes) {
      if (entry) this.#entries.set(path, entry);
      else this.#entries.delete(path);
    }
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

function parseLine<T>(text: string | undefined): T | null {
  try {
    return JSON.parse(text ?? '') as T;
  } catch {
    return null;
  }
}
