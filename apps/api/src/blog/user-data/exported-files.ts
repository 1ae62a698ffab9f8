import type { Database } from '@app/db/open';
import { blogPostDrafts, blogPostRevisions, blogPosts } from '@app/db/schema/blog';
import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { ExportedFile } from '../../accounts/profile/user-data.ts';
import type { Pictures } from '../pictures/pictures.ts';
import { postMarkdown, revisionMarkdown } from './post-markdown.ts';

const batchSize = 50;

/** posts/{slug}.md, trash, history, unsaved changes, and pictures. */
export async function* exportedFiles(
  db: Database,
  pictures: Pictures,
  userId: string,
): AsyncGenerator<ExportedFile> {
  yield* postFiles(db, userId);
  yield* revisionFiles(db, userId);
  yield* draftFiles(db, userId);
  yield* pictureFiles(pictures, userId);
}

/** Oldest first, by the index. */
async function* postFiles(db: Database, userId: string): AsyncGenerator<ExportedFile> {
  const { createdAt, id } = blogPosts;
  for (let last = { createdAt: 0, id: '' }; ; ) {
    const posts = db
      .select()
      .from(blogPosts)
      .where(
        and(
          eq(blogPosts.authorId, userId),
          sql`(${createdAt}, ${id}) > (${last.createdAt}, ${last.id})`,
        ),
      )
      .orderBy(asc(createdAt), asc(id))
      .limit(batchSize)
      .all();
    for (const post of posts) {
      yield {
        name: nameOf(post),
        input: postMarkdown(post),
        lastModified: new Date(post.updatedAt),
      };
      last = post;
    }
    if (posts.length < batchSize) return;
  }
}

/** Several posts in the trash may have had the same slug. */
const nameOf = ({ id, slug, deletedSlug }: typeof blogPosts.$inferSelect): string =>
  deletedSlug === null ? `posts/${slug}.md` : `trash/${deletedSlug}-${id}.md`;

/**
 * What the user saved, in others' posts, too, except for what their own posts are now. One by one:
 * those of a post may have 4 MB.
 */
async function* revisionFiles(db: Database, userId: string): AsyncGenerator<ExportedFile> {
  const { id } = blogPostRevisions;
  const isTheirs = eq(blogPostRevisions.userId, userId);
  // Null after the author's account was deleted.
  const isOwn = sql`${blogPosts.authorId} is ${userId}`;
  const isCurrent = eq(blogPosts.version, blogPostRevisions.version);
  for (let last = ''; ; ) {
    const found = db
      .select({ row: blogPostRevisions })
      .from(blogPostRevisions)
      .innerJoin(blogPosts, eq(blogPosts.id, blogPostRevisions.postId))
      .where(and(isTheirs, gt(id, last), sql`not (${isOwn} and ${isCurrent})`))
      .orderBy(asc(id))
      .limit(1)
      .get();
    if (!found) return;
    const { row } = found;
    const savedAt = new Date(row.createdAt);
    yield {
      name: `history/${row.postId}/${row.version}.md`,
      input: revisionMarkdown(row),
      lastModified: savedAt,
    };
    last = row.id;
  }
}

/** What the editor stores while the user types. One by one: fifty may have 10 MB. */
async function* draftFiles(db: Database, userId: string): AsyncGenerator<ExportedFile> {
  const { id, updatedAt } = blogPostDrafts;
  const isTheirs = eq(blogPostDrafts.userId, userId);
  for (const draft of db.select({ id, updatedAt }).from(blogPostDrafts).where(isTheirs).all()) {
    const row = db
      .select({ fields: blogPostDrafts.fields })
      .from(blogPostDrafts)
      .where(and(isTheirs, eq(id, draft.id)))
      .get();
    // Saved or discarded during the export.
    if (!row) continue;
    yield {
      name: `unsaved/${draft.id}.json`,
      input: `${JSON.stringify(row.fields, null, 2)}\n`,
      lastModified: new Date(draft.updatedAt),
    };
  }
}

/** Under the paths that posts refer to, in their largest size. */
async function* pictureFiles(pictures: Pictures, userId: string): AsyncGenerator<ExportedFile> {
  for await (const { picture, file } of pictures.ofUser(userId)) {
    if (!file) continue;
    const lastModified = new Date(picture.createdAt);
    yield { name: picture.path.slice(1), input: file, lastModified };
  }
}
