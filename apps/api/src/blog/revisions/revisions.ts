import type { EditConflict } from '@app/contract/edit-conflict';
import type { DatabaseOrTransaction, Transaction } from '@app/db/open';
import { profiles } from '@app/db/schema/accounts';
import { blogPostRevisions, blogPosts } from '@app/db/schema/blog';
import { and, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import { toAuthor } from '../../accounts/profile/author.ts';
import type { SignedIn } from '../../accounts/sessions/sessions.ts';
import { newId } from '../../tokens.ts';
import { addUsesOfRevision } from '../pictures/picture-uses.ts';
import { mayRead } from '../posts/permissions.ts';

/** Per post. The oldest revisions are deleted first. */
export const maxRevisions = 200;
export const maxRevisionBytes = 4_194_304;

type PostRow = typeof blogPosts.$inferSelect;
export type RevisionRow = typeof blogPostRevisions.$inferSelect;

/** Writes the revision of a save. Call in its transaction. @param userId null if unknown */
export function addRevision(
  tx: Transaction,
  post: Pick<
    PostRow,
    | 'id'
    | 'version'
    | 'published'
    | 'title'
    | 'slug'
    | 'excerpt'
    | 'coverImage'
    | 'tags'
    | 'content'
    | 'updatedAt'
  >,
  userId: string | null,
): void {
  const { id: postId, version, published, title, slug, excerpt, coverImage, tags, content } = post;
  const bytes = Buffer.byteLength(title) + Buffer.byteLength(excerpt) + Buffer.byteLength(content);
  const texts = { published, title, slug, excerpt, coverImage, tags, content };
  const row = { id: newId(), postId, version, userId, createdAt: post.updatedAt, bytes, ...texts };
  tx.insert(blogPostRevisions).values(row).run();
  addUsesOfRevision(tx, row.id, texts);
}

/** Adds the revision that a post lacks if it was last saved before revisions existed. */
export function addMissingRevision(tx: Transaction, post: PostRow): void {
  const { id: postId, version, authorId } = post;
  const stored = tx
    .select({ id: blogPostRevisions.id })
    .from(blogPostRevisions)
    .where(isRevision({ postId, version }))
    .get();
  if (!stored) addRevision(tx, post, authorId);
}

/** Keeps a post's revisions within their limits. The newest, named and pinned ones always stay. */
export function deleteOldRevisions(tx: Transaction, postId: string): void {
  const { id, name, bytes } = blogPostRevisions;
  const all = tx
    .select({ id, name, bytes })
    .from(blogPostRevisions)
    .where(eq(blogPostRevisions.postId, postId))
    .orderBy(desc(blogPostRevisions.version))
    .all();
  const named = all.filter((revision) => revision.name !== null);
  let [left, leftBytes] = [maxRevisions - named.length, maxRevisionBytes - sumOfBytes(named)];
  const over = all.filter((revision, index) => {
    if (revision.name !== null) return false;
    left -= 1;
    leftBytes -= revision.bytes;
    return index > 0 && (left < 0 || leftBytes < 0);
  });
  if (over.length === 0) return;
  const ids = over.map((revision) => revision.id);
  tx.delete(blogPostRevisions)
    .where(and(inArray(id, ids), isUnpinned))
    .run();
}

export const sumOfBytes = (revisions: readonly Pick<RevisionRow, 'bytes'>[]): number =>
  revisions.reduce((sum, { bytes }) => sum + bytes, 0);

/** Whether no draft link shows the revision. Plain SQL, because Drizzle omits table names. */
export const isUnpinned = sql`not exists (
  select 1 from blog_draft_links where blog_draft_links.revision_id = blog_post_revisions.id
)`;

export const isRevision = ({ postId, version }: Pick<RevisionRow, 'postId' | 'version'>) =>
  and(eq(blogPostRevisions.postId, postId), eq(blogPostRevisions.version, version));

/**
 * The revisions visible to a user who can see the post. Revisions of a draft stay private after the
 * post is published; see `mayRead`.
 */
export function isVisibleRevision(
  db: DatabaseOrTransaction,
  postId: string,
  user: Pick<SignedIn, 'userId' | 'role'>,
): SQL | undefined {
  const { published, authorId, unpublishedBy } = blogPosts;
  const post = db
    .select({ published, authorId, unpublishedBy })
    .from(blogPosts)
    .where(eq(blogPosts.id, postId))
    .get();
  const ofPost = eq(blogPostRevisions.postId, postId);
  if (post && mayRead({ ...post, published: false }, user)) return ofPost;
  const isOpen = or(
    eq(blogPostRevisions.published, true),
    eq(blogPostRevisions.userId, user.userId),
  );
  return and(ofPost, isOpen);
}

/** The base of a merge, if visible: a conflict must not show more of it than the history does. */
export const findVisibleBase = (
  db: DatabaseOrTransaction,
  revision: Pick<RevisionRow, 'postId' | 'version'>,
  user: Pick<SignedIn, 'userId' | 'role'>,
): RevisionRow | null =>
  db
    .select()
    .from(blogPostRevisions)
    .where(and(isRevision(revision), isVisibleRevision(db, revision.postId, user)))
    .get() ?? null;

/** The name of the user who saved a revision, and whether that is the signed-in user. */
export function savedByOf(
  db: DatabaseOrTransaction,
  revision: Pick<RevisionRow, 'postId' | 'version'>,
  user: Pick<SignedIn, 'userId'>,
): Pick<EditConflict, 'savedBy' | 'isYours'> {
  const { id, fullName, username, avatarUrl } = profiles;
  const profile = db
    .select({ id, fullName, username, avatarUrl })
    .from(blogPostRevisions)
    .innerJoin(profiles, eq(profiles.id, blogPostRevisions.userId))
    .where(isRevision(revision))
    .get();
  return { savedBy: toAuthor(profile).name, isYours: profile?.id === user.userId };
}
