import type { PictureUse, UsedPicture } from '@app/contract/blog/pages';
import type { Picture } from '@app/contract/blog/picture-replies';
import type { Database } from '@app/db/open';
import { blogPostDrafts, blogPostRevisions, blogPosts } from '@app/db/schema/blog';
import { pictureUses } from '@app/db/schema/pictures';
import { and, eq, inArray, isNotNull, max, sql } from 'drizzle-orm';
import type { AuthoringSettings } from '../../accounts/sessions/permissions.ts';
import type { SignedIn } from '../../accounts/sessions/sessions.ts';
import { isLive } from '../posts/live-posts.ts';
import { accessTo } from '../posts/permissions.ts';

interface Site {
  db: Database;
  settings: AuthoringSettings;
}

interface Found {
  pictureId: string;
  use: PictureUse;
}

/** Adds where each picture is used, without details of uses that the user cannot see. */
export function findUses(
  { db, settings }: Site,
  user: SignedIn,
  pictures: readonly Picture[],
): UsedPicture[] {
  const ids = pictures.map(({ id }) => id);
  const found = [...usesInPosts({ db, settings }, user, ids), ...usesInDrafts(db, user, ids)];
  return pictures.map((picture) => ({ ...picture, uses: usesOf(picture, found) }));
}

/** Combines all uses that the user cannot see into one entry. */
function usesOf({ id }: Picture, found: readonly Found[]): PictureUse[] {
  const uses = found.filter(({ pictureId }) => pictureId === id).map(({ use }) => use);
  const visible = uses.filter((use) => use.in !== 'hidden');
  return visible.length < uses.length ? [...visible, { in: 'hidden' }] : visible;
}

const newestVersion = sql<number>`(select max(newest.version) from ${blogPostRevisions} as newest where newest.post_id = ${blogPosts.id})`;

const usesInPosts = ({ db, settings }: Site, user: SignedIn, ids: string[]): Found[] =>
  db
    .select({
      pictureId: pictureUses.pictureId,
      title: blogPosts.title,
      slug: blogPosts.slug,
      published: blogPosts.published,
      authorId: blogPosts.authorId,
      deletedAt: blogPosts.deletedAt,
      version: max(blogPostRevisions.version),
      newest: newestVersion,
    })
    .from(pictureUses)
    .innerJoin(blogPostRevisions, eq(blogPostRevisions.id, pictureUses.revisionId))
    .innerJoin(blogPosts, eq(blogPosts.id, blogPostRevisions.postId))
    .where(inArray(pictureUses.pictureId, ids))
    .groupBy(pictureUses.pictureId, blogPosts.id)
    .orderBy(blogPosts.createdAt)
    .all()
    .map(({ pictureId, version, newest, ...post }) => {
      const { title, slug } = post;
      const isOld = version !== newest;
      const access = accessTo(settings, post, user);
      // Readers of a post do not see its history.
      if (access === 'none' || (isOld && access === 'read')) {
        return { pictureId, use: { in: 'hidden' } };
      }
      return {
        pictureId,
        use: post.deletedAt === null ? { in: 'post', title, slug, isOld } : { in: 'trash', title },
      };
    });

const usesInDrafts = (db: Database, user: SignedIn, ids: string[]): Found[] =>
  db
    .select({
      pictureId: pictureUses.pictureId,
      userId: blogPostDrafts.userId,
      id: blogPostDrafts.id,
      title: sql<string>`${blogPostDrafts.fields} ->> 'title'`,
      slug: blogPosts.slug,
    })
    .from(pictureUses)
    .innerJoin(
      blogPostDrafts,
      and(
        eq(blogPostDrafts.userId, pictureUses.draftUserId),
        eq(blogPostDrafts.id, pictureUses.draftId),
      ),
    )
    .leftJoin(blogPosts, and(eq(blogPosts.id, blogPostDrafts.postId), isLive))
    .where(and(isNotNull(pictureUses.draftId), inArray(pictureUses.pictureId, ids)))
    .all()
    .map(({ pictureId, userId, id, title, slug }) => ({
      pictureId,
      use:
        userId === user.userId
          ? { in: 'unsaved', title, path: `/blog/editor/${slug ?? id}` }
          : { in: 'hidden' },
    }));
