import type { NewPost, Post, PostChange, PostList, Publishing } from '@app/contract/blog/posts';
import { excerptOf } from '@app/contract/blog/posts';
import { limits } from '@app/contract/limits';
import type { DatabaseOrTransaction, Transaction } from '@app/db/open';
import { profiles } from '@app/db/schema/accounts';
import { blogPostBodies, blogPosts } from '@app/db/schema/blog';
import { writeTransaction } from '@app/db/write-transaction';
import { and, desc, eq, isNotNull, lt, notExists, or, type SQL, sql } from 'drizzle-orm';
import { findLiveSession, type SessionUser } from '../accounts/sessions/live-session.ts';
import { mayWrite } from '../accounts/sessions/permissions.ts';
import type { SignedIn } from '../accounts/sessions/sessions.ts';
import { insertPublishJob, insertPublishJobs, type PublishJob } from '../publishing/jobs.ts';
import { newId } from '../tokens.ts';
import { storeBody } from './bodies.ts';
import { renderingBusy } from './body-renderer.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { Deps } from './deps.ts';
import { oldSlugsOf, renameSlug } from './old-slugs.ts';
import { mayRead } from './permissions.ts';
import { postColumns, summaryColumns, toPost, toSummary } from './post-row.ts';
import { pathsOf, postPath } from './published-pages.ts';
import { type QuotaRefusal, takeFromQuotas } from './quotas.ts';
import { createSamples } from './samples.ts';
import { slugForTitle } from './slug-for-title.ts';

const pageSize = 20;

export type PostRefusal =
  | { refused: 'not_signed_in' | 'not_allowed' | 'not_found' | 'slug_taken' | 'busy' }
  | { refused: 'content'; problem: string }
  | QuotaRefusal;

interface Saved {
  post: Post;
  publishing: Publishing;
}

type PostRow = typeof blogPosts.$inferSelect;

/** Reads and changes posts. Permissions are checked in the transaction that writes. */
export function createPosts({ db, clock, publisher, renderer, siteFiles, settings, bodies }: Deps) {
  const { quotas } = settings;
  // Prepared: building it takes four times as long as running it.
  const findBySlug = selectPosts(db)
    .where(eq(blogPosts.slug, sql.placeholder('slug')))
    .prepare();

  const samples = createSamples(db, renderer);

  function findFreeSlug(slug: string): string {
    const base = slug.slice(0, limits.slug - 10).replace(/-$/, '');
    for (let number = 1; ; number += 1) {
      const free = `${base}-copy${number > 1 ? `-${number}` : ''}`;
      if (!findBySlug.get({ slug: free })) return free;
    }
  }

  async function publishNow(
    job: PublishJob,
    { slug, was, is }: { slug: string; was: boolean; is: boolean },
    began: number,
  ): Promise<Publishing> {
    const result = await publisher.publish(job);
    if (!was && !is) return { state: 'draft' };
    const path = postPath(slug);
    const waiting = result.state === 'pending' ? result.pages : [];
    const isOwnPageDone = waiting.length > 0 && waiting.every((page) => page.path !== path);
    if (result.state === 'pending' && !isOwnPageDone) return result;
    const file = await siteFiles.load(path);
    const milliseconds = Math.round((performance.now() - began) * 10) / 10;
    const pending = waiting.length > 0 && { pending: waiting };
    if (!is) return { state: 'removed', path, milliseconds, ...pending };
    if (!file) return { state: 'pending', reason: 'The page is not served yet.', pages: waiting };
    return { state: 'live', path, hash: file.hash, milliseconds, ...pending };
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
      const row = selectPosts(db).where(eq(blogPosts.id, id)).get();
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
        return { posts: ofSite.map(({ content, ...post }) => post), nextCursor: null };
      }
      const visible =
        draftsOf === undefined
          ? and(eq(blogPosts.published, true), isRenderable(db))
          : or(eq(blogPosts.published, true), eq(blogPosts.authorId, draftsOf));
      const rows = await selectSummaries(db)
        .where(and(visible, after && isOlderThan(after)))
        .orderBy(desc(blogPosts.createdAt), desc(blogPosts.id))
        .limit(pageSize + 1);
      const last = rows.length > pageSize ? rows[pageSize - 1] : undefined;
      return {
        posts: rows.slice(0, pageSize).map(toSummary),
        nextCursor: last ? encodeCursor(last) : null,
      };
    },

    async create(user: SignedIn, input: NewPost): Promise<Saved | PostRefusal> {
      const began = performance.now();
      const body = await render(input.content, user);
      if ('refused' in body) return body;
      const written = await writeTransaction(db, (tx) => {
        const now = clock.now();
        const author = findWriter(tx, user, now);
        if ('refused' in author) return author;
        const slug = input.slug || slugForTitle(input.title, now);
        if (findBySlugIn(tx, slug)) return refuse('slug_taken');
        const id = newId();
        const after = { ...input, id, slug, authorId: author.userId };
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
        // A draft has a job without pages: the first post ends the samples.
        const paths = input.published ? pathsOf(slug, now) : [];
        return { post: getPost(tx, id), job: insertPublishJob(tx, now, paths) };
      });
      if ('refused' in written) return written;
      const { post, job } = written;
      const visibility = { slug: post.slug, was: false, is: post.published };
      return { post, publishing: await publishNow(job, visibility, began) };
    },

    async update(user: SignedIn, id: string, change: PostChange): Promise<Saved | PostRefusal> {
      const began = performance.now();
      const body = change.content === undefined ? null : await render(change.content, user);
      if (body && 'refused' in body) return body;
      const written = await writeTransaction(db, (tx) => {
        const now = clock.now();
        const changeable = findChangeable(tx, user, id, now);
        if ('refused' in changeable) return changeable;
        const { post: before, writer } = changeable;
        const after = { ...before, ...change };
        after.excerpt ||= excerptOf(after.content);
        const isRenamed = after.slug !== before.slug;
        if (isRenamed && findBySlugIn(tx, after.slug)) return refuse('slug_taken');
        const refusal = takeFromQuotas(tx, quotas, writer, { before, after, now });
        if (refusal) return refusal;
        const dropped = isRenamed ? renameSlug(tx, before, after.slug, now) : [];
        tx.update(blogPosts)
          .set({
            ...change,
            excerpt: after.excerpt,
            unpublishedBy: unpublishedBy(before, after, user),
            version: before.version + 1,
            updatedAt: now,
          })
          .where(eq(blogPosts.id, id))
          .run();
        if (body) storeBody(tx, id, body);
        const { paths, behind } = pathsOfChange(tx, before, after, dropped);
        const job = insertPublishJob(tx, now, paths);
        const jobsBehind = insertPublishJobs(tx, now, behind);
        return { post: getPost(tx, id), job, jobsBehind, wasPublished: before.published };
      });
      if ('refused' in written) return written;
      if (body) bodies.reportProblems();
      const { post, job, jobsBehind, wasPublished } = written;
      const visibility = { slug: post.slug, was: wasPublished, is: post.published };
      const publishing = await publishNow(job, visibility, began);
      void publisher.publishInBackground(jobsBehind);
      return { post, publishing };
    },

    async remove(user: SignedIn, id: string): Promise<{ publishing: Publishing } | PostRefusal> {
      const began = performance.now();
      const removed = await writeTransaction(db, (tx) => {
        const now = clock.now();
        const changeable = findChangeable(tx, user, id, now);
        if ('refused' in changeable) return changeable;
        const { post } = changeable;
        const paths = [...pathsOf(post.slug, post.createdAt), ...oldSlugsOf(tx, id).map(postPath)];
        tx.delete(blogPosts).where(eq(blogPosts.id, id)).run();
        return { post, job: insertPublishJob(tx, now, paths) };
      });
      if ('refused' in removed) return removed;
      bodies.reportProblems();
      const { post, job } = removed;
      const visibility = { slug: post.slug, was: post.published, is: false };
      return { publishing: await publishNow(job, visibility, began) };
    },
  };

  /** Null unless the user may write now. */
  function findWriter(tx: Transaction, user: SignedIn, now: number): SessionUser | PostRefusal {
    const writer = findLiveSession(tx, user, now);
    if (!writer) return refuse('not_signed_in');
    return mayWrite(settings, writer) ? writer : refuse('not_allowed');
  }

  /** Undefined unless the user may change it now. */
  function findChangeable(
    tx: Transaction,
    user: SignedIn,
    id: string,
    now: number,
  ): { post: PostRow; writer: SessionUser } | PostRefusal {
    const writer = findWriter(tx, user, now);
    if ('refused' in writer) return writer;
    const post = tx.select().from(blogPosts).where(eq(blogPosts.id, id)).get();
    return post && mayRead(post, writer) ? { post, writer } : refuse('not_found');
  }

  /** Rendered before saving: a post that cannot be rendered is not saved. */
  async function render(content: string, user: SignedIn): Promise<{ html: string } | PostRefusal> {
    const body = await bodies.render(content, user.userId);
    if (body === renderingBusy) return refuse('busy');
    return 'html' in body ? body : { refused: 'content', problem: body.problem };
  }
}

const unpublishedBy = (before: PostRow, after: PostRow, { userId }: SignedIn): string | null => {
  if (after.published) return null;
  return before.published ? userId : before.unpublishedBy;
};

const refuse = <T extends string>(refused: T) => ({ refused });

/**
 * Pages that show the post before or after the change. Old slugs only change with the slug or with
 * publishing. Their pages are for static hosts, so they are published later (`behind`).
 */
function pathsOfChange(
  tx: Transaction,
  before: PostRow,
  after: PostRow,
  dropped: readonly string[],
): { paths: string[]; behind: string[] } {
  if (!before.published && !after.published) return { paths: [], behind: [] };
  const isRenamed = before.slug !== after.slug;
  const paths = [
    ...(before.published ? pathsOf(before.slug, before.createdAt) : []),
    ...(after.published ? pathsOf(after.slug, after.createdAt) : []),
    // Also of a draft.
    ...(isRenamed ? [postPath(before.slug)] : []),
    ...dropped.map(postPath),
  ];
  if (!isRenamed && before.published === after.published) return { paths, behind: [] };
  const old = oldSlugsOf(tx, before.id).map(postPath);
  return after.published
    ? { paths, behind: old.filter((path) => !paths.includes(path)) }
    : { paths: [...paths, ...old], behind: [] };
}

const findBySlugIn = (tx: Transaction, slug: string) =>
  tx.select({ id: blogPosts.id }).from(blogPosts).where(eq(blogPosts.slug, slug)).get();

const selectPosts = (db: DatabaseOrTransaction) =>
  db.select(postColumns).from(blogPosts).leftJoin(profiles, eq(profiles.id, blogPosts.authorId));

const selectSummaries = (db: DatabaseOrTransaction) =>
  db.select(summaryColumns).from(blogPosts).leftJoin(profiles, eq(profiles.id, blogPosts.authorId));

function getPost(tx: Transaction, id: string): Post {
  const row = selectPosts(tx).where(eq(blogPosts.id, id)).get();
  if (!row) throw new Error(`post ${id} is missing after it was written`);
  return toPost(row);
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
