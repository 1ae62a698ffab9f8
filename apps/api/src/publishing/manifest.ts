import { type FileHandle, open } from 'node:fs/promises';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Card } from '@app/contract/pages';
import pLimit from 'p-limit';
import { replaceFiles } from '../files/atomic-files.ts';
import { unlessMissing } from '../unless-missing.ts';
import {
  type FailedUpdate,
  lineOfFailure,
  lineOfJobs,
  lineOfPage,
  linesFor,
  type ManifestContent,
  type PageRecord,
  type ReleaseOrigin,
  readLines,
} from './manifest-lines.ts';

/** Lines per turn of the event loop. */
const batchSize = 500;

type Changes = ReadonlyMap<string, PageRecord | null>;

const empty = (): ManifestContent => ({ pages: new Map(), failures: new Map(), jobs: 0 });

/**
 * Records which pages a release has and their versions, which updates failed, and which publish jobs
 * are done. An append-only file next to the release: the first line is its origin, each other line a
 * change. It is not in the database, so that it matches the files even after a backup of the database
 * is restored, and on each of several servers that share a database.
 */
export class Manifest {
  readonly origin: ReleaseOrigin;
  /** The pages of these lines count as missing. */
  readonly malformedLines: number;
  readonly #pages: Map<string, PageRecord>;
  readonly #failures: Map<string, FailedUpdate>;
  readonly #unsavedFailures = new Set<string>();
  #jobs: number;
  /** Title and number of pages, by the card's path. */
  readonly #cards = new Map<string, { title: string; pages: number }>();
  readonly #handle: FileHandle;
  readonly #lock = pLimit(1);
  /** After a failed write. The next write begins with a line break. */
  #hasPartialLine = false;

  private constructor(
    origin: ReleaseOrigin,
    handle: FileHandle,
    { pages, failures, jobs }: ManifestContent = empty(),
    malformedLines = 0,
  ) {
    this.origin = origin;
    this.#handle = handle;
    this.malformedLines = malformedLines;
    this.#pages = pages;
    for (const { card } of pages.values()) if (card) this.#countCard(card);
    this.#failures = failures;
    this.#jobs = jobs;
  }

  static async create(file: string, origin: ReleaseOrigin): Promise<Manifest> {
    await replaceFiles(new Map([[file, Buffer.from(`${JSON.stringify(origin)}\n`)]]));
    return new Manifest(origin, await open(file, 'a'));
  }

  static async read(file: string): Promise<Manifest | null> {
    const found = await readLines(file).catch(() => null);
    if (!found) return null;
    const { origin, content, lines, malformed, endsInPartialLine } = found;
    // A partial line can be dropped: its publish job was not recorded as done, so it runs again.
    const isDamaged = endsInPartialLine || malformed > 0;
    if (isDamaged || lines > 2 * content.pages.size + 1_000) await rewrite(file, origin, content);
    return new Manifest(origin, await open(file, 'a'), content, malformed);
  }

  get(path: string): PageRecord | undefined {
    return this.#pages.get(path);
  }

  get failures(): ReadonlyMap<string, FailedUpdate> {
    return this.#failures;
  }

  /** Publish jobs up to this id are done, except for `failures`. Only what is on the disk counts. */
  get jobs(): number {
    return this.#jobs;
  }

  /** Titles by the card's path. */
  cards(): Map<string, string> {
    return new Map(this.#cards.entries().map(([path, { title }]) => [path, title]));
  }

  refersTo(card: string): boolean {
    return this.#cards.has(card);
  }

  paths(): MapIterator<string> {
    return this.#pages.keys();
  }

  /**
   * Records changes; null removes a page. They are flushed to the disk when it resolves. If it
   * rejects, they still apply in memory, because the files have changed.
   */
  async record(changes: Changes): Promise<void> {
    this.apply(changes);
    await this.append(changes);
  }

  /** Records changes in memory, and forgets earlier failures of these pages. `append` flushes them. */
  apply(changes: Changes): void {
    for (const [path, page] of changes) {
      this.#set(path, page);
      this.#failures.delete(path);
      this.#unsavedFailures.delete(path);
    }
  }

  /** Records a failed update in memory. The next `append` flushes it to the disk. */
  fail(path: string, failure: FailedUpdate): void {
    this.#failures.set(path, failure);
    this.#unsavedFailures.add(path);
  }

  /** Flushes applied changes, failed updates and then `jobs` to the disk. */
  async append(changes: Changes, jobs = this.#jobs): Promise<void> {
    const unsaved = [...this.#failures].filter(([path]) => this.#unsavedFailures.has(path));
    const lines: string[] = [];
    for (const [path, page] of changes) {
      lines.push(`${lineOfPage(path, page)}\n`);
      if (lines.length === batchSize) {
        await this.#append(lines.splice(0).join(''));
        await yieldToEventLoop();
      }
    }
    for (const [path, failure] of unsaved) lines.push(`${lineOfFailure(path, failure)}\n`);
    if (jobs !== this.#jobs) lines.push(`${lineOfJobs(jobs)}\n`);
    if (changes.size === 0 && lines.length === 0) return;
    await this.#append(lines.join(''));
    await this.#handle.datasync();
    this.#jobs = jobs;
    for (const [path, failure] of unsaved) {
      if (this.#failures.get(path) === failure) this.#unsavedFailures.delete(path);
    }
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  #set(path: string, entry: PageRecord | null): void {
    const before = this.#pages.get(path)?.card;
    if (entry?.card) this.#countCard(entry.card);
    const previous = before && this.#cards.get(before.path);
    if (previous) {
      previous.pages -= 1;
      if (previous.pages === 0) this.#cards.delete(before.path);
    }
    if (entry === null) this.#pages.delete(path);
    else this.#pages.set(path, entry);
  }

  #countCard({ path, title }: Card): void {
    const known = this.#cards.get(path);
    if (known) known.pages += 1;
    else this.#cards.set(path, { title, pages: 1 });
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

/** Reads the manifest of a running server. Null if it is missing or malformed. */
export async function readManifest(
  file: string,
): Promise<({ origin: ReleaseOrigin } & ManifestContent) | null> {
  const found = await unlessMissing(readLines(file), null);
  return found && { origin: found.origin, ...found.content };
}

async function rewrite(
  file: string,
  origin: ReleaseOrigin,
  content: ManifestContent,
): Promise<void> {
  const lines = [JSON.stringify(origin)];
  for (const line of linesFor(content)) {
    lines.push(line);
    if (lines.length % batchSize === 0) await yieldToEventLoop();
  }
  await replaceFiles(new Map([[file, Buffer.from(`${lines.join('\n')}\n`)]]));
}
