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
} from '@app/contract/blog';
import type { PageData } from '@app/contract/pages';
import { users } from '@app/db/schema/accounts';
import * as v from 'valibot';
import { onTestFinished } from 'vitest';
import { createPosts, slugTaken } from '../blog/posts.ts';
import { isCompressible } from '../publishing/compression.ts';
import { listFiles, siteFolder } from '../publishing/release.ts';
import type { Renderer } from '../publishing/renderer.ts';
import { fileOf } from '../publishing/site-files.ts';
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

/** One author's work, without the way over HTTP. */
export async function startWriting({ deps }: Pick<TestApp, 'deps'>): Promise<Writer> {
  const author = { userId: 'ann', email: 'ann@example.com', role: 'member', renewed: [] } as const;
  await deps.db
    .insert(users)
    .values({ id: author.userId, email: author.email, createdAt: 0 })
    .onConflictDoNothing();
  const posts = createPosts(deps);
  const saved = (result: PostSaved | typeof slugTaken | undefined): PostSaved => {
    if (result === undefined || result === slugTaken) throw new Error('the post was not saved');
    return result;
  };
  return {
    async write(title, more = {}) {
      const input = { title, content: `About ${title}`, published: true, ...more };
      return saved(await posts.create(author, v.parse(newPost, input)));
    },
    async change({ id }, change) {
      return saved(await posts.update(id, change));
    },
    async remove({ id }) {
      const publishing = await posts.remove(id);
      if (!publishing) throw new Error(`post ${id} is gone already`);
      return publishing;
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
        publish: async () => ({ state: 'pending', reason: 'The process is gone.' }),
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
