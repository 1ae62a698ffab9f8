import type { NewPost, Post, PostChange, PostList, Publishing } from '@app/contract/blog';
import { excerptOf, monthOf } from '@app/contract/blog';
import { atomic } from '@app/db/atomic';
import type { Database } from '@app/db/open';
import { profiles } from '@app/db/schema/accounts';
import { blogPostOldSlugs, blogPosts } from '@app/db/schema/blog';
import { and, desc, eq, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import type { SignedIn } from '../accounts/sessions.ts';
import type { Deps } from '../deps.ts';
import { insertPublishJob, type PublishJob } from '../publishing/jobs.ts';
import { listPaths, monthPaths, postPath } from '../publishing/pages.ts';
import { newId } from '../tokens.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { postColumns, toPost } from './post-row.ts';

/** How many posts one call gives. */
const pageSize = 20;

/** What the author wanted cannot be: another post has the slug. */
export const slugTaken = Symbol('slug taken');

type PostState = Pick<typeof blogPosts.$inferSelect, 'id' | 'slug' | 'published' | 'createdAt'>;

export type Posts = ReturnType<typeof createPosts>;

/** Reading and changing posts. Who may do what is decided in permissions.ts. */
export function createPosts({ db, clock, publisher, siteFiles }: Deps) {
  // The hot read: prepared once, where building it anew costs four times the query.
  const findBySlug = selectPosts(db)
    .where(eq(blogPosts.slug, sql.placeholder('slug')))
    .prepare();

  /** Does the job, and tells what readers get: with its proof, the hash of the bytes they are served. */
  async function publishNow(
    job: PublishJob | undefined,
    { slug, was, is }: { slug: string; was: boolean; is: boolean },
    began: number,
  ): Promise<Publishing> {
    if (!job) throw new Error('the commit left no publish job');
    const result = await publisher.publish(job);
    if (!was && !is) return { state: 'draft' };
    if (result.state === 'pending') return result;
    const path = postPath(slug);
    const file = await siteFiles.load(path);
    const milliseconds = Math.round((performance.now() - began) * 10) / 10;
    if (!is) return { state: 'removed', path, milliseconds };
    if (!file) return { state: 'pending', reason: 'The page is not served yet.' };
    return { state: 'live', path, hash: file.hash, milliseconds };
  }

  return {
    /** The post at a slug, a draft too; undefined when there is none. */
    async findBySlug(slug: string): Promise<Post | undefined> {
      const row = findBySlug.get({ slug });
      return row && toPost(row);
    },

    findById,

    /**
     * Newest first: what is published, and the drafts of `draftsOf` if that is given.
     * Undefined when the cursor is not one of ours.
     */
    async list(cursor: string | undefined, draftsOf?: string): Promise<PostList | undefined> {
      const after = cursor === undefined ? undefined : decodeCursor(cursor);
      if (after === null) return undefined;
      const visible =
        draftsOf === undefined
          ? eq(blogPosts.published, true)
          : or(eq(blogPosts.published, true), eq(blogPosts.authorId, draftsOf));
      const rows = await selectPosts(db)
        .where(and(visible, after && isOlderThan(after)))
        .orderBy(desc(blogPosts.createdAt), desc(blogPosts.id))
        .limit(pageSize + 1);
      const last = rows.length > pageSize ? rows[pageSize - 1] : undefined;
      return {
        posts: rows.slice(0, pageSize).map(toPost),
        nextCursor: last ? encodeCursor(last) : null,
      };
    },

    async create(
      author: Pick<SignedIn, 'userId' | 'email'>,
      input: NewPost,
    ): Promise<{ post: Post; publishing: Publishing } | typeof slugTaken> {
      const began = performance.now();
      const now = clock.now();
      const id = newId();
      const insert = db.insert(blogPosts).values({
        ...input,
        id,
        authorId: author.userId,
        authorEmail: author.email,
        createdAt: now,
        updatedAt: now,
      });
      // A draft has a job too, though it names no page: as the first post it ends the samples.
      const paths = input.published ? pathsOf(input.slug, now) : [];
      const saved = await unlessSlugTaken(() =>
        atomic(db, [insert, insertPublishJob(db, now, paths)]),
      );
      if (saved === slugTaken) return slugTaken;
      const post = await getById(db, id);
      const visibility = { slug: input.slug, was: false, is: input.published };
      return { post, publishing: await publishNow(saved[1][0], visibility, began) };
    },

    /** Undefined when the post has been deleted meanwhile. */
    async update(
      id: string,
      change: PostChange,
    ): Promise<{ post: Post; publishing: Publishing } | typeof slugTaken | undefined> {
      const began = performance.now();
      // Another change may come between reading and writing: then the version has moved on, and
      // what depends on the post is found anew.
      for (;;) {
        const [before] = await db.select().from(blogPosts).where(eq(blogPosts.id, id));
        if (!before) return undefined;
        const after = { ...before, ...change };
        after.excerpt ||= excerptOf(after.content);
        const now = clock.now();
        const isThisVersion = and(eq(blogPosts.id, id), eq(blogPosts.version, before.version));
        const keepOldSlug = db
          .insert(blogPostOldSlugs)
          .select(
            db
              .select({ slug: blogPosts.slug, postId: blogPosts.id })
              .from(blogPosts)
              .where(and(isThisVersion, ne(blogPosts.slug, after.slug))),
          )
          .onConflictDoUpdate({ target: blogPostOldSlugs.slug, set: { postId: id } });
        const update = db
          .update(blogPosts)
          .set({ ...change, excerpt: after.excerpt, version: before.version + 1, updatedAt: now })
          .where(isThisVersion)
          .returning({ id: blogPosts.id });
        const paths = await pathsOfChange(before, after);
        const saved = await unlessSlugTaken(() =>
          atomic(db, [keepOldSlug, update, insertPublishJob(db, now, paths)]),
        );
        if (saved === slugTaken) return slugTaken;
        const [, updated, [job]] = saved;
        // Read before its pages are made: somebody may delete it while they are.
        const post = updated.length > 0 ? await findById(id) : undefined;
        const visibility = { slug: after.slug, was: before.published, is: after.published };
        const publishing = await publishNow(job, visibility, began);
        if (updated.length === 0) continue;
        return post && { post, publishing };
      }
    },

    /** Undefined when the post has been deleted meanwhile. */
    async remove(id: string): Promise<Publishing | undefined> {
      const began = performance.now();
      // As in `update`: a slug that changes meanwhile must not leave its page behind.
      for (;;) {
        const [post] = await db.select().from(blogPosts).where(eq(blogPosts.id, id));
        if (!post) return undefined;
        const paths = [...pathsOf(post.slug, post.createdAt), ...(await oldPathsOf(id))];
        const [deleted, [job]] = await atomic(db, [
          db
            .delete(blogPosts)
            .where(and(eq(blogPosts.id, id), eq(blogPosts.version, post.version)))
            .returning({ id: blogPosts.id }),
          insertPublishJob(db, clock.now(), paths),
        ]);
        const visibility = { slug: post.slug, was: post.published, is: false };
        const publishing = await publishNow(job, visibility, began);
        if (deleted.length > 0) return publishing;
      }
    },
  };

  async function findById(id: string): Promise<Post | undefined> {
    const [row] = await selectPosts(db).where(eq(blogPosts.id, id));
    return row && toPost(row);
  }

  /** The pages that show the post as it was or as it will be, or that lead to it. */
  async function pathsOfChange(before: PostState, after: PostState): Promise<string[]> {
    if (!before.published && !after.published) return [];
    return [
      ...(before.published ? pathsOf(before.slug, before.createdAt) : []),
      ...(after.published ? pathsOf(after.slug, after.createdAt) : []),
      // An old address from now on, if the slug changes; also a draft's.
      postPath(before.slug),
      ...(await oldPathsOf(before.id)),
    ];
  }

  async function oldPathsOf(postId: string): Promise<string[]> {
    const rows = await db
      .select({ slug: blogPostOldSlugs.slug })
      .from(blogPostOldSlugs)
      .where(eq(blogPostOldSlugs.postId, postId));
    return rows.map(({ slug }) => postPath(slug));
  }
}

const selectPosts = (db: Database) =>
  db.select(postColumns).from(blogPosts).leftJoin(profiles, eq(profiles.id, blogPosts.authorId));

async function getById(db: Database, id: string): Promise<Post> {
  const [row] = await selectPosts(db).where(eq(blogPosts.id, id));
  if (!row) throw new Error(`post ${id} was deleted while it was saved`);
  return toPost(row);
}

/** The pages that show a published post. */
export const pathsOf = (slug: string, createdAt: number): string[] => [
  postPath(slug),
  ...listPaths,
  ...monthPaths(monthOf(new Date(createdAt).toISOString())),
];

const isOlderThan = ({ createdAt, id }: { createdAt: number; id: string }): SQL | undefined =>
  or(
    lt(blogPosts.createdAt, createdAt),
    and(eq(blogPosts.createdAt, createdAt), lt(blogPosts.id, id)),
  );

async function unlessSlugTaken<T>(write: () => Promise<T>): Promise<T | typeof slugTaken> {
  try {
    return await write();
  } catch (error) {
    const { code, message } = (error instanceof Error && error.cause ? error.cause : error) as {
      code?: string;
      message?: string;
    };
    if (code === 'SQLITE_CONSTRAINT_UNIQUE' && message?.includes('blog_posts.slug'))
      return slugTaken;
    throw error;
  }
}
