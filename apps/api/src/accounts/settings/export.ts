import { basename } from 'node:path';
import { smallAvatarUrl } from '@app/contract/accounts/avatars';
import type { Database } from '@app/db/open';
import { blogPosts } from '@app/db/schema/blog';
import { makeZip } from 'client-zip';
import { and, asc, eq, sql } from 'drizzle-orm';
import { accountRecord } from './account-record.ts';
import type { Deps } from './deps.ts';
import { postMarkdown } from './post-markdown.ts';

/** How many posts are in memory at a time. */
const postsAtOnce = 50;

interface ExportedFile {
  /** Its path inside the zip. */
  name: string;
  input: string | Uint8Array;
  lastModified: Date;
}

/**
 * Everything that is kept of somebody, as one zip: account.json, posts/{slug}.md and their
 * pictures. It is made while it is read, so that its size costs no memory; who stops reading
 * ends it. An error breaks it off: half of it must not pass for all.
 */
export function exportAccount(deps: Deps, userId: string): ReadableStream<Uint8Array> {
  return makeZip(logged(deps, exportedFiles(deps, userId)));
}

async function* exportedFiles(
  { db, clock, avatars }: Pick<Deps, 'db' | 'clock' | 'avatars'>,
  userId: string,
): AsyncGenerator<ExportedFile> {
  const now = clock.now();
  const record = await accountRecord(db, userId, now);
  yield {
    name: 'account.json',
    input: `${JSON.stringify(record, null, 2)}\n`,
    lastModified: new Date(now),
  };
  yield* postFiles(db, userId);
  if (record.profile) yield* pictureFiles(avatars, userId, record.profile);
}

/** The oldest first, as the index of an author's posts has them. */
async function* postFiles(db: Database, userId: string): AsyncGenerator<ExportedFile> {
  const { createdAt, id } = blogPosts;
  for (let last = { createdAt: 0, id: '' }; ; ) {
    const posts = await db
      .select()
      .from(blogPosts)
      .where(
        and(
          eq(blogPosts.authorId, userId),
          sql`(${createdAt}, ${id}) > (${last.createdAt}, ${last.id})`,
        ),
      )
      .orderBy(asc(createdAt), asc(id))
      .limit(postsAtOnce);
    for (const post of posts) {
      yield {
        name: `posts/${post.slug}.md`,
        input: postMarkdown(post),
        lastModified: new Date(post.updatedAt),
      };
      last = post;
    }
    if (posts.length < postsAtOnce) return;
  }
}

async function* pictureFiles(
  avatars: Deps['avatars'],
  userId: string,
  { avatarUrl, updatedAt }: { avatarUrl: string | null; updatedAt: string },
): AsyncGenerator<ExportedFile> {
  if (avatarUrl === null) return;
  for (const file of [avatarUrl, smallAvatarUrl(avatarUrl)].map((url) => basename(url))) {
    const bytes = await avatars.read(userId, file);
    // One that is replaced in this moment is not missed.
    if (!bytes) continue;
    yield { name: `pictures/${file}`, input: bytes, lastModified: new Date(updatedAt) };
  }
}

/** Passes the files on, and notes why there are no more; that somebody stopped reading is no error. */
async function* logged(
  { log }: Pick<Deps, 'log'>,
  files: AsyncGenerator<ExportedFile>,
): AsyncGenerator<ExportedFile> {
  for (;;) {
    const next = await files.next().catch((error: unknown) => {
      log.error({ err: error }, 'an export was interrupted');
      throw error;
    });
    if (next.done) return;
    yield next.value;
  }
}
