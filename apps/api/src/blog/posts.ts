import type { EditConflict } from '@app/contract/blog/edit-conflict';
import type { Neighbors } from '@app/contract/blog/pages';
import type { NewPost, Post, PostChange, PostList, Publishing } from '@app/contract/blog/posts';
import { excerptOf } from '@app/contract/blog/posts';
import { limits } from '@app/contract/limits';
import type { DatabaseOrTransaction, Transaction } from '@app/db/open';
import { profiles } from '@app/db/schema/accounts';
import { blogPostBodies, blogPosts, blogPostTags } from '@app/db/schema/blog';
import { writeTransaction } from '@app/db/write-transaction';
import { and, desc, eq, isNotNull, lt, notExists, or, type SQL, sql } from 'drizzle-orm';
import type { SignedIn } from '../accounts/sessions/sessions.ts';
import { newId } from '../tokens.ts';
import { storeBody } from './bodies.ts';
import { renderingBusy } from './body-renderer.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { Deps } from './deps.ts';
import { deleteDraft } from './drafts.ts';
import { isLive } from './live-posts.ts';
import type { RenderedMarkdown } from './markdown.ts';
import { type Change, mergeChange } from './merge-change.ts';
import { createNeighbors, neighborsIn } from './neighbors.ts';
import { renameSlug } from './old-slugs.ts';
import { pathsOfChange } from './paths-of-change.ts';
import { mayRead } from './permissions.ts';
import { pathsOf, pathsShownFirst } from './post-paths.ts';
import { postColumns, type SummaryRow, summaryColumns, toPost, toSummary } from './post-row.ts';
import { createPublishNow, insertChangeJobs } from './publish-now.ts';
import { takeFromQuotas } from './quotas.ts';
import { createRelatedPaths } from './related-paths.ts';
import {
  addMissingRevision,
  addRevision,
  bylineOf,
  deleteOldRevisions,
  findRevision,
} from './revisions.ts';
import { createSamples } from './samples.ts';
import { planSchedule, unscheduled } from './schedule.ts';
import { slugForTitle } from './slug-for-title.ts';
import { createFirstNames, toTags } from './tags.ts';
import {
  findChangeable,
  findWriter,
  type PostRefusal,
  refuse,
  type StoredPost,
} from './writing-access.ts';

const pageSize = 20;

interface Saved {
  post: Post;
  publishing: Publishing;
  merged?: true;
}

interface PlannedChange {
  /** Merged if it had to be. */
  change?: Change;
  conflict?: Omit<EditConflict, 'savedBy' | 'savedAt'>;
  /** The version of the post that it was merged with. Any, if undefined. */
  onto?: number;
  isMerged?: true;
}

/** How often a change is merged again because the post was saved meanwhile. */
const maxMerges = 20;

/** Reads and changes posts. Permissions are checked in the transaction that writes. */
export function createPosts(deps: Deps) {
  const { db, clock, renderer, settings, bodies, scheduler } = deps;
  const { quotas } = settings;
  // Prepared: building it takes four times as long as running it.
  const findBySlug = selectPosts(db)
    .where(and(isLive, eq(blogPosts.slug, sql.placeholder('slug'))))
    .prepare();

  const samples = createSamples(db, renderer);
  const publishNow = createPublishNow(deps);
  const related = createRelatedPaths(db);
  const neighborsOf = createNeighbors(db);
  const firstNames = createFirstNames(db);

  function findFreeSlug(slug: string): string {
    const base = slug.slice(0, limits.slug - 10).replace(/-$/, '');
    for (let number = 1; ; number += 1) {
      const free = `${base}-copy${number > 1 ? `-${number}` : ''}`;
      if (!findBySlug.get({ slug: free })) return free;
    }
  }

  return {
    /** Undefined if there is no post or sample that the user may read. */
    findBySlug(slug: string, user: SignedIn | null): Post | undefined {
      const row = findBySlug.get({ slug });
      if (!row) return samples.find(slug);
      return mayRead(row, user) ? toPost(row) : undefined;
    },

    /** A sample becomes a copy with a free slug. */
    findEditable(slug: string, user: SignedIn): Post | undefined {
      const row = findBySlug.get({ slug });
      if (row) return mayRead(row, user) ? toPost(row) : undefined;
      const sample = samples.find(slug);
      return sample && { ...sample, slug: findFreeSlug(slug) };
    },

    findById(id: string, user: SignedIn): Post | undefined {
      const row = selectPosts(db)
        .where(and(isLive, eq(blogPosts.id, id)))
        .get();
      return row && mayRead(row, user) ? toPost(row) : undefined;
    },

    /**
     * Newest first: published posts, and drafts of `draftsOf`. Samples until a post is published.
     * Undefined for an invalid cursor.
     */
    async list(cursor: string | undefined, draftsOf?: string): Promise<PostList | undefined> {
      const after = cursor === undefined ? undefined : decodeCursor(cursor);
      if (after === null) return undefined;
      const ofSite = draftsOf === undefined && samples.list();
      if (ofSite) {
        return { posts: ofSite.map(({ content, version, ...post }) => post), nextCursor: null };
      }
      const visible =
        draftsOf === undefined
          ? and(eq(blogPosts.published, true), isRenderable(db))
          : and(isLive, or(eq(blogPosts.published, true), eq(blogPosts.authorId, draftsOf)));
      const rows = await selectSummaries(db)
        .where(and(visible, after && isOlderThan(after)))
        .orderBy(desc(blogPosts.createdAt), desc(blogPosts.id))
        .limit(pageSize + 1);
      return toList(rows);
    },

    /** Published posts with a tag, like `list`. */
    listTagged(tag: string, cursor: string | undefined): PostList | undefined {
      const after = cursor === undefined ? undefined : decodeCursor(cursor);
      if (after === null) return undefined;
      const ofSite = samples.list()?.filter(({ tags }) => tags.some(({ slug }) => slug === tag));
      if (ofSite) {
        return { posts: ofSite.map(({ content, version, ...post }) => post), nextCursor: null };
      }
      const { createdAt, postId } = blogPostTags;
      const rows = db
        .select(summaryColumns)
        .from(blogPostTags)
        .innerJoin(blogPosts, eq(blogPosts.id, postId))
        .leftJoin(profiles, eq(profiles.id, blogPosts.authorId))
        .where(
          and(
            eq(blogPostTags.tag, tag),
            isRenderable(db),
            after && sql`(${createdAt}, ${postId}) < (${after.createdAt}, ${after.id})`,
          ),
        )
        .orderBy(desc(createdAt), desc(postId))
        .limit(pageSize + 1)
        .all();
      return toList(rows);
    },

    neighborsOf: ({ id, slug, createdAt, isSample }: Post): Neighbors =>
      isSample
        ? neighborsIn(samples.list() ?? [], slug)
        : neighborsOf({ id, createdAt: Date.parse(createdAt) }),

    async create(
      user: SignedIn,
      { draft, scheduledAt, ...input }: NewPost,
    ): Promise<Saved | PostRefusal> {
      const began = performance.now();
      const body = await render(input.content, user);
      if ('refused' in body) return body;
      const slug = input.slug || (await slugForTitle(input.title, clock.now()));
      const tags = await toTags(input.tags);
      const written = await writeTransaction(db, (tx) => {
        const now = clock.now();
        const author = findWriter(tx, settings, user, now);
        if ('refused' in author) return author;
        if (findBySlugIn(tx, slug)) return refuse('slug_taken');
        const id = newId();
        const { published } = input;
        const { userId } = author;
        const schedule = planSchedule(unscheduled, scheduledAt, { published, userId, now });
        if ('refused' in schedule) return schedule;
        const after = {
          ...input,
          ...schedule,
          ...{ id, slug, tags: firstNames(id, tags), authorId: userId },
        };
        const refusal = takeFromQuotas(tx, quotas, author, { after, now });
        if (refusal) return refusal;
        tx.insert(blogPosts)
          .values({
            ...after,
            authorEmail: author.email,
            createdAt: now,
            updatedAt: now,
          })
          .run();
        storeBody(tx, id, body);
        addRevision(tx, { ...after, version: 1, updatedAt: now }, userId);
        if (draft !== undefined) deleteDraft(tx, userId, draft);
        // A draft has a job without pages: the first post ends the samples.
        const jobs = published
          ? insertChangeJobs(
              tx,
              now,
              [...pathsOf(slug, now), ...related.ofPost({ ...after, createdAt: now })],
              pathsShownFirst(slug),
            )
          : insertChangeJobs(tx, now, []);
        return { post: getPost(tx, id), jobs };
      });
      if ('refused' in written) return written;
      scheduler.wake();
      const { post, jobs } = written;
      const visibility = { slug: post.slug, was: false, is: post.published };
      return { post, publishing: await publishNow(jobs, visibility, began) };
    },

    /**
     * A change with a `baseVersion` is merged with what was saved since. That needs the merged text
     * rendered, so it happens before the transaction, which starts over if the post was saved again.
     */
    async update(
      user: SignedIn,
      id: string,
      { baseVersion, draft, scheduledAt, tags: names, ...fields }: PostChange,
    ): Promise<Saved | PostRefusal> {
      const began = performance.now();
      const yours: Change = { ...fields, ...(names && { tags: await toTags(names) }) };
      for (let merges = 0; merges < maxMerges; merges += 1) {
        const plan = planChange(id, baseVersion, yours);
        const content = plan.change?.content;
        const body = content === undefined ? null : await render(content, user);
        if (body && 'refused' in body) return body;
        const written = await writeTransaction(db, (tx) => {
          const result = writeChange(tx, user, { id, scheduledAt }, plan, body);
          const isSaved = result !== 'saved meanwhile' && !('refused' in result);
          if (isSaved && draft !== undefined) deleteDraft(tx, user.userId, draft);
          return result;
        });
        if (written === 'saved meanwhile') continue;
        if ('refused' in written) return written;
        if (body) bodies.reportProblems();
        scheduler.wake();
        const { post, jobs, wasPublished } = written;
        const visibility = { slug: post.slug, was: wasPublished, is: post.published };
        const publishing = await publishNow(jobs, visibility, began);
        return { post, publishing, ...(plan.isMerged && { merged: true }) };
      }
      return refuse('busy');
    },
  };

  function planChange(id: string, baseVersion: number | undefined, yours: Change): PlannedChange {
    const isToggle = Object.keys(yours).every((field) => field === 'published');
    if (baseVersion === undefined || isToggle) return { change: yours };
    const theirs = db
      .select()
      .from(blogPosts)
      .where(and(isLive, eq(blogPosts.id, id)))
      .get();
    if (!theirs) return { change: yours };
    const { version: onto } = theirs;
    if (onto === baseVersion) return { change: yours, onto };
    const base = findRevision(db, { postId: id, version: baseVersion }) ?? null;
    return { onto, isMerged: true, ...mergeChange(base, theirs, yours) };
  }

  function writeChange(
    tx: Transaction,
    user: SignedIn,
    { id, scheduledAt }: { id: string; scheduledAt: string | null | undefined },
    { change, conflict, onto }: PlannedChange,
    body: RenderedMarkdown | null,
  ) {
    const now = clock.now();
    const changeable = findChangeable(tx, settings, { user, id, now });
    if ('refused' in changeable) return changeable;
    const { post: before, writer } = changeable;
    if (onto !== undefined && onto !== before.version) return 'saved meanwhile';
    if (conflict) return refuseConflict(tx, before, conflict);
    const { published = before.published } = change ?? {};
    const { userId } = writer;
    const schedule = planSchedule(before, scheduledAt, { published, userId, now });
    if ('refused' in schedule) return schedule;
    const version = before.version + 1;
    const after = { ...before, ...change, ...schedule, version, updatedAt: now };
    after.excerpt ||= excerptOf(after.content);
    after.tags = firstNames(id, after.tags);
    const isRenamed = after.slug !== before.slug;
    if (isRenamed && findBySlugIn(tx, after.slug)) return refuse('slug_taken');
    const refusal = takeFromQuotas(tx, quotas, writer, { before, after, now });
    if (refusal) return refusal;
    const dropped = isRenamed ? renameSlug(tx, before, after.slug, now) : [];
    const { updatedAt, excerpt, tags, scheduledBy } = after;
    tx.update(blogPosts)
      .set({
        ...change,
        excerpt,
        tags,
        unpublishedBy: unpublishedBy(before, after, user),
        scheduledAt: after.scheduledAt,
        scheduledBy,
        version,
        updatedAt,
      })
      .where(eq(blogPosts.id, id))
      .run();
    addMissingRevision(tx, before);
    addRevision(tx, after, userId);
    deleteOldRevisions(tx, id);
    const wasHidden = isUnrenderable(tx, id);
    if (body) storeBody(tx, id, body);
    const { paths, first } = pathsOfChange(tx, related, { before, after, dropped, wasHidden });
    const jobs = insertChangeJobs(tx, now, paths, first);
    return { post: getPost(tx, id), jobs, wasPublished: before.published };
  }

  /** Rendered before saving: a post that cannot be rendered is not saved. */
  async function render(content: string, user: SignedIn): Promise<RenderedMarkdown | PostRefusal> {
    const body = await bodies.render(content, user.userId);
    if (body === renderingBusy) return refuse('busy');
    return 'html' in body ? body : { refused: 'content', problem: body.problem };
  }
}

const refuseConflict = (
  tx: Transaction,
  post: StoredPost,
  conflict: Omit<EditConflict, 'savedBy' | 'savedAt'>,
): PostRefusal => {
  const savedBy = bylineOf(tx, { postId: post.id, version: post.version });
  const savedAt = new Date(post.updatedAt).toISOString();
  return { refused: 'edit_conflict', conflict: { ...conflict, savedBy, savedAt } };
};

const unpublishedBy = (
  before: StoredPost,
  after: StoredPost,
  { userId }: SignedIn,
): string | null => {
  if (after.published) return null;
  return before.published ? userId : before.unpublishedBy;
};

/** Drafts included. */
export const findBySlugIn = (tx: DatabaseOrTransaction, slug: string) =>
  tx.select({ id: blogPosts.id }).from(blogPosts).where(eq(blogPosts.slug, slug)).get();

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

const isUnrenderable = (tx: Transaction, postId: string): boolean =>
  tx
    .select({ problem: blogPostBodies.problem })
    .from(blogPostBodies)
    .where(and(eq(blogPostBodies.postId, postId), isNotNull(blogPostBodies.problem)))
    .get() !== undefined;

/** @param rows one more than a page if there are more */
function toList(rows: readonly SummaryRow[]): PostList {
  const last = rows.length > pageSize ? rows[pageSize - 1] : undefined;
  return {
    posts: rows.slice(0, pageSize).map(toSummary),
    nextCursor: last ? encodeCursor(last) : null,
  };
}

const isRenderable = (db: DatabaseOrTransaction): SQL =>
  notExists(
    db
      .select({ postId: blogPostBodies.postId })
      .from(blogPostBodies)
      .where(and(eq(blogPostBodies.postId, blogPosts.id), isNotNull(blogPostBodies.problem))),
  );

const isOlderThan = ({ createdAt, id }: { createdAt: number; id: string }): SQL | undefined =>
  or(
    lt(blogPosts.createdAt, createdAt),
    and(eq(blogPosts.createdAt, createdAt), lt(blogPosts.id, id)),
  );
