import { type FileHandle, open, readFile } from 'node:fs/promises';
import { replaceFiles } from './atomic-files.ts';

/** What a release was made from; another build or address makes every file of it stale. */
export interface ReleaseOrigin {
  buildId: string;
  publicUrl: string;
  /** The build's hashed files, from the release's folder. */
  assets: string[];
}

interface Line {
  path: string;
  version: string | null;
}

/**
 * Which pages a release holds, and what each one shows: a post's id and version, a
 * sample, or '' where the path says it all. A file beside the release, its first line where
 * the release comes from, then a line a change. Appending costs the same at any
 * number of pages. It lies with the files it speaks of, not in the database, so
 * that a restored backup of either is seen for what it is.
 */
export class Manifest {
  readonly origin: ReleaseOrigin;
  readonly #entries: Map<string, string>;
  #handle: FileHandle;

  private constructor(origin: ReleaseOrigin, entries: Map<string, string>, handle: FileHandle) {
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

    const entries = new Map<string, string>();
    let changes = 0;
    for (const text of lines.slice(1)) {
      // A crash can leave half a line at the end. Its job is still there and does it again.
      const line = parseLine<Line>(text);
      if (!line) continue;
      changes += 1;
      if (line.version === null) entries.delete(line.path);
      else entries.set(line.path, line.version);
    }
    if (changes > 2 * entries.size + 1_000) {
      const kept = [...entries].map(([path, version]) => JSON.stringify({ path, version }));
      const text = `${[JSON.stringify(origin), ...kept].join('\n')}\n`;
      await replaceFiles(new Map([[file, Buffer.from(text)]]));
    }
    const handle = await open(file, 'a');
    // Ends a half line, so that the next one starts afresh; an empty line says nothing.
    await handle.appendFile('\n');
    return new Manifest(origin, entries, handle);
  }

  get(path: string): string | undefined {
    return this.#entries.get(path);
  }

  paths(): MapIterator<string> {
    return this.#entries.keys();
  }

  /** Records changes; null takes a page out. They are on the disk when this resolves. */
  async record(changes: ReadonlyMap<string, string | null>): Promise<void> {
    if (changes.size === 0) return;
    const lines = [...changes].map(([path, version]) => `${JSON.stringify({ path, version })}\n`);
    await this.#handle.appendFile(lines.join(''));
    await this.#handle.datasync();
    for (const [path, version] of changes) {
      if (version === null) this.#entries.delete(path);
      else this.#entries.set(path, version);
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
