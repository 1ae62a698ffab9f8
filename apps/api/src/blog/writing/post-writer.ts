import {
  excerptOf,
  type NewPost,
  type Post,
  type PostChange,
  type Publishing,
  writtenExcerpt,
} from '@app/contract/blog/posts';
import type { Transaction } from '@app/db/open';
import { blogPostBodies, blogPosts } from '@app/db/schema/blog';
import { readCurrent, writeTransaction } from '@app/db/write-transaction';
import { and, eq, isNotNull } from 'drizzle-orm';
import type { SignedIn } from '../../accounts/sessions/sessions.ts';
import { toIso } from '../../clock.ts';
import { logChange } from '../../publishing/log.ts';
import { newId } from '../../tokens.ts';
import type { Deps } from '../deps.ts';
import { deleteSavedDraft } from '../drafts/drafts.ts';
import { pathsShownFirst, postPath } from '../pages/post-paths.ts';
import { createRelatedPaths } from '../pages/related-paths.ts';
import { isLive } from '../posts/live-posts.ts';
import { findSlugOwner, refuseRename, renameSlug } from '../posts/old-slugs.ts';
import { getPost } from '../posts/posts.ts';
import { takeFromQuotas } from '../posts/quotas.ts';
import { refuseNameless } from '../posts/refuse-nameless.ts';
import { slugForTitle } from '../posts/slug-for-title.ts';
import { createFirstNames, toTags } from '../posts/tags.ts';
import {
  findChangeable,
  findWriter,
  type PostRefusal,
  refuse,
  type StoredPost,
} from '../posts/writing-access.ts';
import { pathsOfChange, pathsOfNew } from '../publishing/paths-of-change.ts';
import { createPublishNow } from '../publishing/publish-now.ts';
import { storeBody } from '../rendering/bodies.ts';
import type { RenderedPost } from '../rendering/body-process.ts';
import { renderingBusy } from '../rendering/body-renderer.ts';
import { type Change, type ConflictTexts, mergeChange } from '../revisions/merge-change.ts';
import {
  addMissingRevision,
  addRevision,
  deleteOldRevisions,
  findRevision,
  savedByOf,
} from '../revisions/revisions.ts';
import { planSchedule, unscheduled } from '../scheduling/schedule.ts';

interface Saved {
  post: Post;
  publishing: Publishing;
  merged?: true;
}

interface PlannedChange {
  /** Merged if necessary. */
  change?: Change;
  conflict?: ConflictTexts;
  /** The version of the post that the change applies to; any if undefined. */
  onto?: number;
  isMerged?: true;
}

interface PlannedSave extends PlannedChange {
  /** The rendered content, if it changes. */
  body: RenderedPost | null;
}

interface Target {
  id: string;
  account: string | undefined;
  scheduledAt: string | null | undefined;
}

/** Attempts to save a change that has to be merged again, because the post was saved since. */
const maxMerges = 20;

/** Creates and changes posts. Permissions are checked in the transaction that writes. */
export function createPostWriter(deps: Deps) {
  const { db, clock, settings, bodies, scheduler, mergeTexts } = deps;
  const quotaParts = { quotas: settings.quotas, diskSpace: deps.diskSpace };
  const publishNow = createPublishNow(deps);
  const related = createRelatedPaths(db);
  const firstNames = createFirstNames(db);

  return {
    async create(
      user: SignedIn,
      { draft, draftUpdatedAt, account, scheduledAt, ...input }: NewPost,
    ): Promise<Saved | PostRefusal> {
      const began = performance.now();
      const body = await render(input.content, user);
      if ('refused' in body) return body;
      const slug = input.slug || (await slugForTitle(input.title, clock.now()));
      const tags = await toTags(db, input.tags);
      const written = await writeTransaction(db, (tx) => {
        const now = clock.now();
        const author = findWriter(tx, settings, user, now, account);
        if ('refused' in author) return author;
        if (findSlugOwner(tx, slug) !== undefined) return refuse('slug_taken');
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
        const refusal =
          refuseNameless(tx, author, { after }) ??
          takeFromQuotas(tx, quotaParts, author, { after, body, now });
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
        deleteSavedDraft(tx, userId, { draft, draftUpdatedAt }, after);
        const change = published
          ? logChange(
              tx,
              now,
              pathsOfNew(related, { ...after, createdAt: now }),
              pathsShownFirst(slug),
            )
          : // A draft hides a sample with the same slug.
            logChange(tx, now, [postPath(slug)], []);
        return { post: getPost(tx, id), change };
      });
      if ('refused' in written) return written;
      scheduler.wake();
      const { post, change } = written;
      const visibility = { slug: post.slug, was: false, is: post.published };
      return { post, publishing: await publishNow(change, visibility, began) };
    },

    /**
     * Merges a change that has a `baseVersion` with what was saved since. The merged text has to be
     * rendered, so this happens before the transaction, and again if the post was saved meanwhile.
     */
    async update(
      user: SignedIn,
      id: string,
      {
        baseVersion,
        draft,
        draftUpdatedAt,
        account,
        scheduledAt,
        tags: names,
        ...fields
      }: PostChange,
    ): Promise<Saved | PostRefusal> {
      const began = performance.now();
      const yours: Change = { ...fields, ...(names && { tags: await toTags(db, names) }) };
      for (let merges = 0; merges < maxMerges; merges += 1) {
        const plan = await planSave(user, id, baseVersion, yours);
        if ('refused' in plan) return plan;
        const written = await writeTransaction(db, (tx) => {
          const result = writeChange(tx, user, { id, account, scheduledAt }, plan);
          if (result === 'saved meanwhile' || 'refused' in result) return result;
          // Merged or not, the post contains the text that was sent.
          const sent = { ...result.post, ...yours };
          deleteSavedDraft(tx, user.userId, { draft, draftUpdatedAt }, sent);
          return result;
        });
        if (written === 'saved meanwhile') continue;
        if ('refused' in written) return written;
        if (plan.body) bodies.reportProblems();
        scheduler.wake();
        const { post, logged, wasPublished } = written;
        const visibility = { slug: post.slug, was: wasPublished, is: post.published };
        const publishing = await publishNow(logged, visibility, began);
        return { post, publishing, ...(plan.isMerged && { merged: true }) };
      }
      return refuse('busy');
    },
  };

  async function planSave(
    user: SignedIn,
    ...change: [id: string, baseVersion: number | undefined, yours: Change]
  ): Promise<PlannedSave | PostRefusal> {
    const plan = await planChange(user, ...change);
    if (!plan) return refuse('busy');
    const content = plan.change?.content;
    const body = content === undefined ? null : await render(content, user);
    return body && 'refused' in body ? body : { ...plan, body };
  }

  /** Null if too many merges are waiting. */
  async function planChange(
    user: SignedIn,
    id: string,
    baseVersion: number | undefined,
    yours: Change,
  ): Promise<PlannedChange | null> {
    const isToggle = Object.keys(yours).every((field) => field === 'published');
    if (baseVersion === undefined || isToggle) return { change: yours };
    // Another server may have saved the version that this change is based on.
    const { theirs, base } = await readCurrent(
      db,
      () => readToMerge(id, baseVersion),
      (found) => found.theirs !== undefined && found.theirs.version >= baseVersion,
    );
    if (!theirs) return { change: yours };
    const { version: onto } = theirs;
    if (onto === baseVersion) return { change: yours, onto };
    const { userId } = user;
    const merged = await mergeChange(base, theirs, yours, { userId, mergeTexts });
    return merged && { onto, isMerged: true, ...merged };
  }

  function readToMerge(id: string, baseVersion: number) {
    const theirs = db
      .select()
      .from(blogPosts)
      .where(and(isLive, eq(blogPosts.id, id)))
      .get();
    const isMerge = theirs !== undefined && theirs.version !== baseVersion;
    const revision = { postId: id, version: baseVersion };
    return { theirs, base: isMerge ? findRevision(db, revision) : null };
  }

  function writeChange(
    tx: Transaction,
    user: SignedIn,
    { id, account, scheduledAt }: Target,
    { change, conflict, onto, body }: PlannedSave,
  ) {
    const now = clock.now();
    const changeable = findChangeable(tx, settings, { user, id, now, account });
    if ('refused' in changeable) return changeable;
    const { post: before, writer } = changeable;
    if (onto !== undefined && onto !== before.version) return 'saved meanwhile';
    if (conflict) return refuseConflict(tx, before, conflict, writer);
    const { published = before.published } = change ?? {};
    const { userId } = writer;
    const schedule = planSchedule(before, scheduledAt, { published, userId, now });
    if ('refused' in schedule) return schedule;
    const version = before.version + 1;
    const excerpted = { ...before, excerpt: writtenExcerpt(before), ...change };
    const after = { ...excerpted, ...schedule, version, updatedAt: now };
    after.excerpt ||= excerptOf(after.content);
    after.tags = firstNames(id, after.tags);
    const refusal =
      refuseRename(tx, before, after.slug) ??
      refuseNameless(tx, writer, { before, after }) ??
      takeFromQuotas(tx, quotaParts, writer, { before, after, body, now });
    if (refusal) return refusal;
    if (after.slug !== before.slug) renameSlug(tx, before, after.slug, now);
    const { updatedAt, excerpt, tags } = after;
    tx.update(blogPosts)
      .set({
        ...change,
        excerpt,
        tags,
        ...schedule,
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
    const { paths, first } = pathsOfChange(tx, related, { before, after, wasHidden });
    const logged = logChange(tx, now, paths, first);
    return { post: getPost(tx, id), logged, wasPublished: before.published };
  }

  /** Called before saving, because a post that cannot be rendered must not be saved. */
  async function render(content: string, user: SignedIn): Promise<RenderedPost | PostRefusal> {
    const body = await bodies.render(content, user.userId);
    if (body === renderingBusy) return refuse('busy');
    return 'html' in body ? body : { refused: 'content', problem: body.problem };
  }
}

const refuseConflict = (
  tx: Transaction,
  post: StoredPost,
  conflict: ConflictTexts,
  user: Pick<SignedIn, 'userId'>,
): PostRefusal => {
  const savedBy = savedByOf(tx, { postId: post.id, version: post.version }, user);
  const savedAt = toIso(post.updatedAt);
  return { refused: 'edit_conflict', conflict: { ...conflict, ...savedBy, savedAt } };
};

const isUnrenderable = (tx: Transaction, postId: string): boolean =>
  tx
    .select({ problem: blogPostBodies.problem })
    .from(blogPostBodies)
    .where(and(eq(blogPostBodies.postId, postId), isNotNull(blogPostBodies.problem)))
    .get() !== undefined;
