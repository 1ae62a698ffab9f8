import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  newPost,
  type Post,
  type PostChange,
  type PostErased,
  type PostRestored,
  type PostSaved,
  type Publishing,
} from '@app/contract/blog/posts';
import type { PageData } from '@app/contract/pages';
import { profiles, sessions, users } from '@app/db/schema/accounts';
import * as v from 'valibot';
import { onTestFinished, vi } from 'vitest';
import type { SignedIn } from '../accounts/sessions/sessions.ts';
import { createTrash } from '../blog/trash/trash.ts';
import { createPostWriter } from '../blog/writing/post-writer.ts';
import { siteFolder } from '../publishing/release.ts';
import type { Renderer } from '../publishing/renderer.ts';
import { fileOf } from '../server/site-files.ts';
import type { TestApp } from './test-app.ts';
import { inProcess } from './test-renderer.ts';

/** A folder that outlives an app, for tests that restart a site. */
export function makeDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'site-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

interface Writer {
  /** Published by default. */
  write(title: string, more?: object): Promise<PostSaved>;
  change(post: WithId, change: PostChange): Promise<PostSaved>;
  remove(post: WithId): Promise<Publishing>;
  restore(post: WithId): Promise<PostRestored>;
  erase(post: WithId): Promise<PostErased>;
}

type WithId = Pick<Post, 'id'>;

/** An author who writes without HTTP, with a fresh session for each step. */
export async function startWriting({ deps }: Pick<TestApp, 'deps'>): Promise<Writer> {
  const { db, clock } = deps;
  const posts = createPostWriter(deps);
  const trash = createTrash(deps);
  db.insert(users)
    .values({ id: 'ann', email: 'ann@example.com', createdAt: 0 })
    .onConflictDoNothing()
    .run();
  db.insert(profiles)
    .values({ id: 'ann', fullName: 'Ann', updatedAt: 0 })
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
      return unlessRefused(await trash.remove(signIn(), id)).publishing;
    },
    async restore({ id }) {
      return unlessRefused(await trash.restore(signIn(), id));
    },
    async erase({ id }) {
      return unlessRefused(await trash.erase(signIn(), id));
    },
  };
}

/** Like `startWriting`, but the server crashes after each commit, before it publishes. */
export async function startWritingAndCrash({ deps }: Pick<TestApp, 'deps'>) {
  // The publisher would find the changes.
  await deps.publisher.stop();
  return startWriting({
    deps: {
      ...deps,
      publisher: {
        ...deps.publisher,
        publish: async () => ({
          state: 'pending',
          reason: 'The process is gone.',
          pages: [],
          written: [],
          removed: [],
        }),
        wake: () => undefined,
        run: async () => undefined,
      },
    },
  });
}

/**
 * The data from which a file was rendered, once all pages are published; null if there is no
 * file.
 */
export async function shownAt({ dataDir, deps }: TestApp, path: string): Promise<PageData | null> {
  await deps.publisher.idle();
  try {
    const html = await readFile(join(siteFolder(dataDir), fileOf(path) ?? ''), 'utf8');
    return JSON.parse(/<pre>(.*)<\/pre>/s.exec(html)?.[1] ?? '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

export const rendererWith = (
  renderer: Renderer,
  before: (path: string) => Promise<void> | void,
): Renderer =>
  inProcess({
    ...renderer,
    async render(path, page) {
      await before(path);
      return renderer.render(path, page);
    },
  });

export async function passTimeAndPublish(
  { clock, deps }: Pick<TestApp, 'clock' | 'deps'>,
  milliseconds: number,
): Promise<void> {
  clock.move(milliseconds);
  await deps.scheduler.publishDue();
  await deps.publisher.settled();
}

export function passTime({ clock }: Pick<TestApp, 'clock'>, milliseconds: number): void {
  clock.move(milliseconds);
  vi.advanceTimersByTime(milliseconds);
}
