import { basename } from 'node:path';
import { smallAvatarUrl } from '@app/contract/accounts/avatars';
import type { Database } from '@app/db/open';
import { blogPosts } from '@app/db/schema/blog';
import { makeZip } from 'client-zip';
import { and, asc, eq, sql } from 'drizzle-orm';
import { accountRecord } from './account-record.ts';
import type { Deps } from './deps.ts';
import { postMarkdown } from './post-markdown.ts';

const batchSize = 50;

interface ExportedFile {
  /** Inside the zip. */
  name: string;
  input: string | Uint8Array;
  lastModified: Date;
}

/**
 * Everything stored about a user, as a zip: account.json, posts/{slug}.md and pictures. Streamed,
 * so that its size does not matter. An error aborts it: a partial export must not look complete.
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

/** Oldest first, by the index. */
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
      .limit(batchSize);
    for (const post of posts) {
      yield {
        name: `posts/${post.slug}.md`,
        input: postMarkdown(post),
        lastModified: new Date(post.updatedAt),
      };
      last = post;
    }
    if (posts.length < batchSize) return;
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
    // Replaced during the export.
    if (!bytes) continue;
    yield { name: `pictures/${file}`, input: bytes, lastModified: new Date(updatedAt) };
  }
}

/** Logs errors. A reader that cancels is not one. */
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
