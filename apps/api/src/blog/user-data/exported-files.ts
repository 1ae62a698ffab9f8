import type { Database } from '@app/db/open';
import { blogPostDrafts, blogPostRevisions, blogPosts } from '@app/db/schema/blog';
import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { ExportedFile } from '../../accounts/profile/user-data.ts';
import type { Pictures } from '../pictures/pictures.ts';
import { postMarkdown, revisionMarkdown } from './post-markdown.ts';

const batchSize = 50;

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

/** Oldest first, in the order of an index. */
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

const nameOf = ({ slug, deletedAt }: typeof blogPosts.$inferSelect): string =>
  `${deletedAt === null ? 'posts' : 'trash'}/${slug}.md`;

/**
 * Revisions that the user saved, including those of others' posts, but without the current ones of
 * their own posts. Read one by one, because the revisions of a post can take up 4 MB.
 */
async function* revisionFiles(db: Database, userId: string): AsyncGenerator<ExportedFile> {
  const { id } = blogPostRevisions;
  const isTheirs = eq(blogPostRevisions.userId, userId);
  // `is`, because it is null after the author's account was deleted.
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
    yield {
      name: `history/${row.postId}/${row.version}.md`,
      input: revisionMarkdown(row),
      lastModified: new Date(row.createdAt),
    };
    last = row.id;
  }
}

/** Unsaved text. Read one by one, because fifty drafts can take up 10 MB. */
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

/** Pictures in their largest size, under the paths that posts refer to. */
async function* pictureFiles(pictures: Pictures, userId: string): AsyncGenerator<ExportedFile> {
  for await (const { picture, file } of pictures.ofUser(userId)) {
    if (!file) continue;
    const lastModified = new Date(picture.createdAt);
    yield { name: picture.path.slice(1), input: file, lastModified };
  }
}
