import type { Neighbors } from '@app/contract/blog/pages';
import type { Post, PostList } from '@app/contract/blog/posts';
import type { DatabaseOrTransaction, Transaction } from '@app/db/open';
import { preparedStatements } from '@app/db/prepared-statements';
import { profiles } from '@app/db/schema/accounts';
import { blogPostBodies, blogPosts, blogPostTags } from '@app/db/schema/blog';
import { and, desc, eq, isNotNull, notExists, or, type SQL, sql } from 'drizzle-orm';
import type { SignedIn } from '../../accounts/sessions/sessions.ts';
import type { Deps } from '../deps.ts';
import { encodeCursor, isOlder, readCursor, toPage } from './cursor.ts';
import { findFreeSlug } from './free-slug.ts';
import { isLive } from './live-posts.ts';
import { createNeighbors, neighborsIn } from './neighbors.ts';
import { findSlugOwner } from './old-slugs.ts';
import { accessTo } from './permissions.ts';
import { postColumns, type SummaryRow, summaryColumns, toPost, toSummary } from './post-row.ts';
import { createSamples } from './samples.ts';

const pageSize = 20;

const statementsOf = preparedStatements((db) => ({
  // Prepared, because building the query takes four times as long as running it.
  findBySlug: selectPosts(db)
    .where(and(isLive, eq(blogPosts.slug, sql.placeholder('slug'))))
    .prepare(),
}));

interface PostNotChangeable {
  refused: 'not_found' | 'not_yours';
}

/** Queries for the posts that a user can see. */
export function createPosts({
  db,
  renderer,
  settings,
}: Pick<Deps, 'db' | 'renderer' | 'settings'>) {
  const { findBySlug } = statementsOf(db);
  const samples = createSamples(db, renderer);
  const neighborsOf = createNeighbors(db);
  const isReadable = (post: SummaryRow, user: SignedIn | null) =>
    accessTo(settings, post, user) !== 'none';

  return {
    findBySlug(slug: string, user: SignedIn | null): Post | undefined {
      const row = findBySlug.get({ slug });
      if (!row) return samples.find(slug);
      return isReadable(row, user) ? toPost(row) : undefined;
    },

    /** Returns a copy with a free slug for a sample. */
    findEditable(slug: string, user: SignedIn): Post | undefined {
      const row = findBySlug.get({ slug });
      if (row) return isReadable(row, user) ? toPost(row) : undefined;
      const sample = samples.find(slug);
      const isTaken = (taken: string) => findSlugOwner(db, taken) !== undefined;
      return sample && { ...sample, slug: findFreeSlug(`${slug}-copy`, isTaken) };
    },

    /** A post that the user can change; its checks are repeated when it is written. */
    findToChange(id: string, user: SignedIn): Post | PostNotChangeable {
      const row = selectPosts(db)
        .where(and(isLive, eq(blogPosts.id, id)))
        .get();
      const access = row ? accessTo(settings, row, user) : 'none';
      if (!row || access === 'none') return { refused: 'not_found' };
      return access === 'change' ? toPost(row) : { refused: 'not_yours' };
    },

    /**
     * Published posts, newest first. Undefined for an invalid cursor.
     * @param draftsOf a user whose drafts are included; without it, samples are listed until a post
     * is published
     */
    list(cursor: string | undefined, draftsOf?: string): PostList | undefined {
      const after = readCursor(cursor);
      if (after === null) return undefined;
      const ofSite = draftsOf === undefined && samples.list();
      if (ofSite) return toSampleList(ofSite);
      const visible =
        draftsOf === undefined
          ? and(eq(blogPosts.published, true), isRenderable(db))
          : and(isLive, or(eq(blogPosts.published, true), eq(blogPosts.authorId, draftsOf)));
      const rows = selectSummaries(db)
        .where(and(visible, isOlder(blogPosts.createdAt, blogPosts.id, after)))
        .orderBy(desc(blogPosts.createdAt), desc(blogPosts.id))
        .limit(pageSize + 1)
        .all();
      return toList(rows);
    },

    /** Published posts with a tag, newest first. Undefined for an invalid cursor. */
    listTagged(tag: string, cursor: string | undefined): PostList | undefined {
      const after = readCursor(cursor);
      if (after === null) return undefined;
      const ofSite = samples.list()?.filter(({ tags }) => tags.some(({ slug }) => slug === tag));
      if (ofSite) return toSampleList(ofSite);
      const { createdAt, postId } = blogPostTags;
      const rows = db
        .select(summaryColumns)
        .from(blogPostTags)
        .innerJoin(blogPosts, eq(blogPosts.id, postId))
        .leftJoin(profiles, eq(profiles.id, blogPosts.authorId))
        .where(and(eq(blogPostTags.tag, tag), isRenderable(db), isOlder(createdAt, postId, after)))
        .orderBy(desc(createdAt), desc(postId))
        .limit(pageSize + 1)
        .all();
      return toList(rows);
    },

    neighborsOf: ({ id, slug, createdAt, isSample }: Post): Neighbors =>
      isSample
        ? neighborsIn(samples.list() ?? [], slug)
        : neighborsOf({ id, createdAt: Date.parse(createdAt) }),
  };
}

const selectPosts = (db: DatabaseOrTransaction) =>
  db.select(postColumns).from(blogPosts).leftJoin(profiles, eq(profiles.id, blogPosts.authorId));

const selectSummaries = (db: DatabaseOrTransaction) =>
  db.select(summaryColumns).from(blogPosts).leftJoin(profiles, eq(profiles.id, blogPosts.authorId));

/** @throws if there is none */
export function getPost(tx: Transaction, id: string): Post {
  const row = selectPosts(tx).where(eq(blogPosts.id, id)).get();
  if (!row) throw new Error(`post ${id} is missing after it was written`);
  return toPost(row);
}

/** @param rows one more than a page if there are more */
function toList(rows: readonly SummaryRow[]): PostList {
  const { shown, nextCursor } = toPage(rows, pageSize, encodeCursor);
  return { posts: shown.map(toSummary), nextCursor };
}

const toSampleList = (samples: readonly Post[]): PostList => ({
  posts: samples.map(({ content, version, ...post }) => post),
  nextCursor: null,
});

const isRenderable = (db: DatabaseOrTransaction): SQL =>
  notExists(
    db
      .select({ postId: blogPostBodies.postId })
      .from(blogPostBodies)
      .where(and(eq(blogPostBodies.postId, blogPosts.id), isNotNull(blogPostBodies.problem))),
  );
