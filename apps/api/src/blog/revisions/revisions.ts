import type { EditConflict } from '@app/contract/edit-conflict';
import type { DatabaseOrTransaction, Transaction } from '@app/db/open';
import { profiles } from '@app/db/schema/accounts';
import { blogPostRevisions, type blogPosts } from '@app/db/schema/blog';
import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import { authorColumns, toAuthor } from '../../accounts/profile/author.ts';
import type { SignedIn } from '../../accounts/sessions/sessions.ts';
import { newId } from '../../tokens.ts';
import { addUsesOfRevision } from '../pictures/picture-uses.ts';

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
    | 'scheduledAt'
  >,
  userId: string | null,
): void {
  const { id: postId, version, published, title, slug, excerpt, coverImage, tags, content } = post;
  const bytes = Buffer.byteLength(title) + Buffer.byteLength(excerpt) + Buffer.byteLength(content);
  const texts = { published, title, slug, excerpt, coverImage, tags, content };
  const { updatedAt: createdAt, scheduledAt } = post;
  const row = { id: newId(), postId, version, userId, createdAt, bytes, ...texts, scheduledAt };
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

/** Keeps a post's revisions within their limits. Those that are never superseded always stay. */
export function deleteOldRevisions(tx: Transaction, postId: string): void {
  const { id, bytes } = blogPostRevisions;
  const all = tx
    .select({ id, bytes, isSuperseded })
    .from(blogPostRevisions)
    .where(eq(blogPostRevisions.postId, postId))
    .orderBy(desc(blogPostRevisions.version))
    .all();
  const superseded = all.filter((revision) => revision.isSuperseded);
  const kept = all.filter((revision) => !revision.isSuperseded);
  let [left, leftBytes] = [maxRevisions - kept.length, maxRevisionBytes - sumOfBytes(kept)];
  const over = superseded.filter((revision) => {
    left -= 1;
    leftBytes -= revision.bytes;
    return left < 0 || leftBytes < 0;
  });
  if (over.length === 0) return;
  const ids = over.map((revision) => revision.id);
  tx.delete(blogPostRevisions).where(inArray(id, ids)).run();
}

export const sumOfBytes = (revisions: readonly Pick<RevisionRow, 'bytes'>[]): number =>
  revisions.reduce((sum, { bytes }) => sum + bytes, 0);

const isLaterOfPost = sql`later.post_id = blog_post_revisions.post_id and later.version > blog_post_revisions.version`;

/**
 * Whether later saves can replace a revision. Not replaced are those with a name, those that draft
 * links show, the last published one, and the last one of each user, so that nobody's saves can
 * delete another user's text. Plain SQL, because Drizzle omits table names.
 */
export const isSuperseded = sql<number>`(
  blog_post_revisions.name is null
  and not exists (
    select 1 from blog_draft_links where blog_draft_links.revision_id = blog_post_revisions.id
  )
  and exists (
    select 1 from blog_post_revisions as later
    where ${isLaterOfPost} and later.user_id is blog_post_revisions.user_id
  )
  and (blog_post_revisions.published = 0 or exists (
    select 1 from blog_post_revisions as later where ${isLaterOfPost} and later.published = 1
  ))
)`;

export const isRevision = ({ postId, version }: Pick<RevisionRow, 'postId' | 'version'>) =>
  and(eq(blogPostRevisions.postId, postId), eq(blogPostRevisions.version, version));

/** Null if it is not stored. */
export const findRevision = (
  db: DatabaseOrTransaction,
  revision: Pick<RevisionRow, 'postId' | 'version'>,
): RevisionRow | null =>
  db.select().from(blogPostRevisions).where(isRevision(revision)).get() ?? null;

/** The name of the user who saved a revision, and whether that is the signed-in user. */
export function savedByOf(
  db: DatabaseOrTransaction,
  revision: Pick<RevisionRow, 'postId' | 'version'>,
  user: Pick<SignedIn, 'userId'>,
): Pick<EditConflict, 'savedBy' | 'isYours'> {
  const profile = db
    .select({ id: profiles.id, ...authorColumns })
    .from(blogPostRevisions)
    .innerJoin(profiles, eq(profiles.id, blogPostRevisions.userId))
    .where(isRevision(revision))
    .get();
  return { savedBy: toAuthor(profile).name, isYours: profile?.id === user.userId };
}
