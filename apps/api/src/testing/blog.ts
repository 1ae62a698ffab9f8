import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import {
  newPost,
  type Post,
  type PostChange,
  type PostSaved,
  type Publishing,
} from '@app/contract/blog/posts';
import type { PageData } from '@app/contract/pages';
import { sessions, users } from '@app/db/schema/accounts';
import * as v from 'valibot';
import { onTestFinished, vi } from 'vitest';
import type { SignedIn } from '../accounts/sessions/sessions.ts';
import { createPosts } from '../blog/posts.ts';
import { listFiles, siteFolder } from '../publishing/release.ts';
import type { Renderer } from '../publishing/renderer.ts';
import { isCompressible } from '../server/compressible.ts';
import { fileOf } from '../server/site-files.ts';
import type { TestApp } from './test-app.ts';

/** A folder for a site that is stopped and started again. */
export function makeDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'site-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

interface Writer {
  /** Publishes a post unless told otherwise. */
  write(title: string, more?: object): Promise<PostSaved>;
  change(post: Post, change: PostChange): Promise<PostSaved>;
  remove(post: Post): Promise<Publishing>;
}

/** One author's work, without the way over HTTP. They sign in anew for each step, however far the clock moved. */
export async function startWriting({ deps }: Pick<TestApp, 'deps'>): Promise<Writer> {
  const { db, clock } = deps;
  const posts = createPosts(deps);
  db.insert(users)
    .values({ id: 'ann', email: 'ann@example.com', createdAt: 0 })
    .onConflictDoNothing()
    .run();
  const signIn = (): SignedIn => {
    const now = clock.now();
    const times = { createdAt: now, signedInAt: now, lastSeenAt: now, expiresAt: now + 1 };
    db.insert(sessions)
      .values({ tokenHash: 'hash', id: 'session', userId: 'ann', device: '', ...times })
      .onConflictDoUpdate({ target: sessions.id, set: times })
      .run();
    return {
      userId: 'ann',
      email: 'ann@example.com',
      role: 'member',
      session: { id: 'session', signedInAt: now },
      renewed: [],
    };
  };
  const unlessRefused = <T extends object>(result: T): Exclude<T, { refused: string }> => {
    if ('refused' in result) throw new Error(`refused: ${result.refused}`);
    return result as Exclude<T, { refused: string }>;
  };
  return {
    async write(title, more = {}) {
      const input = { title, content: `About ${title}`, published: true, ...more };
      return unlessRefused(await posts.create(signIn(), v.parse(newPost, input)));
    },
    async change({ id }, change) {
      return unlessRefused(await posts.update(signIn(), id, change));
    },
    async remove({ id }) {
      return unlessRefused(await posts.remove(signIn(), id)).publishing;
    },
  };
}

/** The same work in a process that crashes after each commit, before anything is published. */
export const startWritingAndCrash = ({ deps }: Pick<TestApp, 'deps'>) =>
  startWriting({
    deps: {
      ...deps,
      publisher: {
        ...deps.publisher,
        publish: async () => ({ state: 'pending', reason: 'The process is gone.', pages: [] }),
      },
    },
  });

/** What the file at a path was rendered from, read from the disk; null when there is no file. */
export async function shownAt({ dataDir }: TestApp, path: string): Promise<PageData | null> {
  try {
    const html = await readFile(join(siteFolder(dataDir), fileOf(path) ?? ''), 'utf8');
    return JSON.parse(/<pre>(.*)<\/pre>/s.exec(html)?.[1] ?? '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Files that lack a compressed sibling, or whose siblings hold other bytes; and siblings of nothing. */
export async function unlikeSiblings({ dataDir }: TestApp): Promise<string[]> {
  const folder = siteFolder(dataDir);
  const names = new Set(await listFiles(folder));
  const read = (name: string) => readFileSync(join(folder, name));
  const isLike = (name: string): boolean =>
    names.has(`${name}.br`) &&
    names.has(`${name}.gz`) &&
    brotliDecompressSync(read(`${name}.br`)).equals(read(name)) &&
    gunzipSync(read(`${name}.gz`)).equals(read(name));
  return [...names].filter((name) =>
    /\.(?:br|gz)$/.test(name)
      ? !names.has(name.slice(0, -3))
      : isCompressible(name) && !isLike(name),
  );
}

/** The same renderer, with a say before each page is rendered: to note it, to hold it up, to fail. */
export const rendererWith = (
  renderer: Renderer,
  before: (path: string) => Promise<void> | void,
): Renderer => ({
  ...renderer,
  async render(path, page) {
    await before(path);
    return renderer.render(path, page);
  },
});

/** Lets time pass, on the clock and for the timers, which are fake in such a test. */
export function passTime({ clock }: Pick<TestApp, 'clock'>, milliseconds: number): void {
  clock.move(milliseconds);
  vi.advanceTimersByTime(milliseconds);
}
