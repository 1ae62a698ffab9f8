import { picturePath } from '@app/contract/blog/pictures';
import type { Database } from '@app/db/open';
import { blogDraftLinks, blogPosts } from '@app/db/schema/blog';
import { pictures } from '@app/db/schema/pictures';
import { asc, eq } from 'drizzle-orm';
import { toIso } from '../../clock.ts';

/** Posts are exported as separate files. */
export function exportedFields(db: Database, userId: string) {
  const stored = db
    .select()
    .from(pictures)
    .where(eq(pictures.userId, userId))
    .orderBy(asc(pictures.createdAt))
    .all();
  const draftLinks = db
    .select({
      post: blogPosts.title,
      revisionId: blogDraftLinks.revisionId,
      createdAt: blogDraftLinks.createdAt,
      expiresAt: blogDraftLinks.expiresAt,
    })
    .from(blogDraftLinks)
    .innerJoin(blogPosts, eq(blogPosts.id, blogDraftLinks.postId))
    .where(eq(blogDraftLinks.userId, userId))
    .orderBy(asc(blogDraftLinks.id))
    .all();
  return {
    pictures: stored.map((picture) => ({
      path: picturePath(picture),
      alt: picture.alt,
      uploadedAt: toIso(picture.createdAt),
    })),
    draftLinks: draftLinks.map(({ post, revisionId, createdAt, expiresAt }) => ({
      post,
      shows: revisionId === null ? 'the draft' : 'one version',
      createdAt: toIso(createdAt),
      expiresAt: toIso(expiresAt),
    })),
  };
}
