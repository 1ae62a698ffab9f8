import type { TrashedPost } from '@app/contract/blog/pages';
import type { PostDeleted, PostRestored } from '@app/contract/blog/posts';
import { day } from '@app/contract/durations';
import { limits } from '@app/contract/limits';
import { profiles } from '@app/db/schema/accounts';
import { blogPosts } from '@app/db/schema/blog';
import { writeTransaction } from '@app/db/write-transaction';
import { and, desc, eq, isNotNull, sql } from 'drizzle-orm';
import type { SignedIn } from '../../accounts/sessions/sessions.ts';
import { toIso } from '../../clock.ts';
import { logChange } from '../../publishing/log.ts';
import type { Deps } from '../deps.ts';
import { deleteDraft } from '../drafts/drafts.ts';
import { pathsShownFirst, postPath, postPaths } from '../pages/post-paths.ts';
import { createRelatedPaths } from '../pages/related-paths.ts';
import { encodeCursor, isOlder, readCursor, toPage } from '../posts/cursor.ts';
import { oldSlugsOf } from '../posts/old-slugs.ts';
import { isChangeableBy } from '../posts/permissions.ts';
import { getPost } from '../posts/posts.ts';
import { takeFromQuotas } from '../posts/quotas.ts';
import { refuseNameless } from '../posts/refuse-nameless.ts';
import { findChangeable, type PostRefusal } from '../posts/writing-access.ts';
import { pathsOfNew } from '../publishing/paths-of-change.ts';
import { createPublishNow } from '../publishing/publish-now.ts';
import { unscheduled } from '../scheduling/schedule.ts';

const pageSize = 50;

export const trashMilliseconds = limits.trashDays * day;

/** Deleted posts stay in the trash for 30 days. */
export function createTrash(deps: Deps) {
  const { db, clock, bodies, scheduler, settings, diskSpace } = deps;
  const publishNow = createPublishNow(deps);
  const related = createRelatedPaths(db);

  return {
    /** Moves a post to the trash. */
    async remove(user: SignedIn, id: string): Promise<PostDeleted | PostRefusal> {
      const began = performance.now();
      const removed = await writeTransaction(db, (tx) => {
        const now = clock.now();
        const changeable = findChangeable(tx, settings, { user, id, now });
        if ('refused' in changeable) return changeable;
        const { post, writer } = changeable;
        tx.update(blogPosts)
          .set({
            published: false,
            version: post.version + 1,
            deletedAt: now,
            deletedBy: writer.userId,
            deletedPublished: post.published,
          })
          .where(eq(blogPosts.id, id))
          .run();
        const paths = post.published
          ? [...pathsOfNew(related, post), ...oldSlugsOf(tx, id).flatMap(postPaths)]
          : postPaths(post.slug);
        return { post, change: logChange(tx, now, paths) };
      });
      if ('refused' in removed) return removed;
      bodies.reportProblems();
      const { post, change } = removed;
      const visibility = { slug: post.slug, was: post.published, is: false };
      return { publishing: await publishNow(change, visibility, began) };
    },

    /** Restores a post as it was. */
    async restore(user: SignedIn, id: string): Promise<PostRestored | PostRefusal> {
      const began = performance.now();
      const restored = await writeTransaction(db, (tx) => {
        const now = clock.now();
        const found = findChangeable(tx, settings, { user, id, now, isTrashed: true });
        if ('refused' in found) return found;
        const { post: before, writer } = found;
        const { slug } = before;
        // A post that became due in the meantime stays a draft, so that nothing is published
        // unexpectedly.
        const isStillAhead = before.scheduledAt !== null && before.scheduledAt > now;
        const { scheduledAt, scheduledBy } = isStillAhead ? before : unscheduled;
        const published = before.deletedPublished === true;
        const after = { ...before, published, scheduledAt, scheduledBy };
        const refusal =
          refuseNameless(tx, writer, { before, after }) ??
          takeFromQuotas(tx, { quotas: settings.quotas, diskSpace }, writer, {
            before,
            after,
            now,
          });
        if (refusal) return refusal;
        tx.update(blogPosts)
          .set({
            published,
            scheduledAt,
            scheduledBy,
            version: before.version + 1,
            deletedAt: null,
            deletedBy: null,
            deletedPublished: null,
          })
          .where(eq(blogPosts.id, id))
          .run();
        const paths = [...pathsOfNew(related, before), ...oldSlugsOf(tx, id).flatMap(postPaths)];
        const change = published
          ? logChange(tx, now, paths, pathsShownFirst(slug))
          : logChange(tx, now, [postPath(slug)], []);
        return { post: getPost(tx, id), change };
      });
      if ('refused' in restored) return restored;
      bodies.reportProblems();
      scheduler.wake();
      const { post, change } = restored;
      const visibility = { slug: post.slug, was: false, is: post.published };
      return { post, publishing: await publishNow(change, visibility, began) };
    },

    /** Permanently deletes a post that is in the trash. */
    erase(user: SignedIn, id: string): Promise<{ erased: true } | PostRefusal> {
      return writeTransaction(db, (tx) => {
        const found = findChangeable(tx, settings, { user, id, now: clock.now(), isTrashed: true });
        if ('refused' in found) return found;
        // Unsaved text of other users stays.
        deleteDraft(tx, found.writer.userId, id);
        tx.delete(blogPosts).where(eq(blogPosts.id, id)).run();
        return { erased: true as const };
      });
    },

    /** The user's posts in the trash, for staff those of everybody, last deleted first. Undefined for an invalid cursor. */
    list(
      user: SignedIn,
      cursor: string | undefined,
    ): { posts: TrashedPost[]; nextCursor: string | null } | undefined {
      const after = readCursor(cursor);
      if (after === null) return undefined;
      const rows = db
        .select({
          id: blogPosts.id,
          title: blogPosts.title,
          slug: blogPosts.slug,
          deletedAt: sql<number>`${blogPosts.deletedAt}`,
          deletedBy: blogPosts.deletedBy,
          deletedPublished: blogPosts.deletedPublished,
          deleterFullName: profiles.fullName,
          deleterUsername: profiles.username,
        })
        .from(blogPosts)
        .leftJoin(profiles, eq(profiles.id, blogPosts.deletedBy))
        .where(
          and(
            isNotNull(blogPosts.deletedAt),
            isChangeableBy(user),
            isOlder(blogPosts.deletedAt, blogPosts.id, after),
          ),
        )
        .orderBy(desc(blogPosts.deletedAt), desc(blogPosts.id))
        .limit(pageSize + 1)
        .all();
      const { shown, nextCursor } = toPage(rows, pageSize, ({ deletedAt, id }) =>
        encodeCursor({ createdAt: deletedAt, id }),
      );
      return {
        posts: shown.map((row) => ({
          id: row.id,
          title: row.title,
          slug: row.slug,
          wasPublished: row.deletedPublished === true,
          deletedBy:
            row.deletedBy === user.userId
              ? 'you'
              : { name: row.deleterFullName ?? row.deleterUsername },
          deletedAt: toIso(row.deletedAt),
          erasedAt: toIso(row.deletedAt + trashMilliseconds),
        })),
        nextCursor,
      };
    },
  };
}
