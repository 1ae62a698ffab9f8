import type { Draft, DraftList, DraftStored } from '@app/contract/blog/draft-replies';
import { type DraftChange, type DraftFields, isDraftId } from '@app/contract/blog/drafts';
import { writingMessages } from '@app/contract/blog/messages';
import { excerptOf } from '@app/contract/blog/posts';
import { tagsText } from '@app/contract/blog/tags';
import { day, minute } from '@app/contract/durations';
import { deleteInBatches } from '@app/db/delete-in-batches';
import type { DatabaseOrTransaction, Transaction } from '@app/db/open';
import { blogPostDrafts, blogPosts } from '@app/db/schema/blog';
import { writeTransaction } from '@app/db/write-transaction';
import { and, count, desc, eq, lt, ne, sql } from 'drizzle-orm';
import type { SessionUser } from '../../accounts/sessions/live-session.ts';
import type { SignedIn } from '../../accounts/sessions/sessions.ts';
import { toIso } from '../../clock.ts';
import type { RateLimit } from '../../server/rate-limits/rate-limits.ts';
import type { Deps } from '../deps.ts';
import { replaceUsesOfDraft } from '../pictures/picture-uses.ts';
import { isLive } from '../posts/live-posts.ts';
import { accessTo } from '../posts/permissions.ts';
import { type QuotaRefusal, refuseGrowth, refuseSpace } from '../posts/quotas.ts';
import {
  findChangeable,
  findWriter,
  type PostRefusal,
  refuse,
  type StoredPost,
} from '../posts/writing-access.ts';

/** Per account. */
const maxDrafts = 50;
const maxBytes = 10_485_760;

/** Per account. The editor stores text a second after its author has stopped typing. */
const stores: RateLimit = { name: 'drafts', max: 120, milliseconds: minute };

/** In milliseconds since the last change. */
const draftLifetime = 90 * day;

/** Deleted at once. A draft can be several hundred kilobytes. */
const draftsPerBatch = 20;

type DraftRow = typeof blogPostDrafts.$inferSelect;

export type DraftRefusal = PostRefusal | { refused: 'draft_changed' };

/** Unsaved text, which the editor stores while a user types. The post itself stays unchanged. */
export function createDrafts(deps: Deps) {
  const { db, clock, rateLimits, settings, diskSpace } = deps;

  function write(
    tx: Transaction,
    { writer, id, post, baseVersion, previous, fields }: Typed,
  ): DraftStored | DraftRefusal {
    const { userId, role } = writer;
    const stored = selectDraft(tx, userId, id);
    if (previous !== undefined && previous !== timeOf(stored)) return refuse('draft_changed');
    if (post && isSaved(post, fields)) {
      deleteDraft(tx, userId, id);
      return { id, updatedAt: null };
    }
    const row = {
      postId: post?.id ?? null,
      baseVersion: post && (baseVersion ?? post.version),
      fields,
      bytes: Buffer.byteLength(JSON.stringify(fields)),
      // Later than the stored time, even within the same millisecond.
      updatedAt: Math.max(clock.now(), (stored?.updatedAt ?? 0) + 1),
    };
    const growth = row.bytes - (stored?.bytes ?? 0);
    const refusal =
      refuseSpace(diskSpace, role) ??
      refuseDraft(tx, userId, id, row.bytes) ??
      (growth > 0 ? refuseGrowth(tx, settings.quotas, writer, growth) : null);
    if (refusal) return refusal;
    tx.insert(blogPostDrafts)
      .values({ userId, id, ...row })
      .onConflictDoUpdate({ target: [blogPostDrafts.userId, blogPostDrafts.id], set: row })
      .run();
    replaceUsesOfDraft(tx, { userId, id }, fields);
    return { id, updatedAt: toIso(row.updatedAt) };
  }

  function storeIn(
    tx: Transaction,
    { user, id, change }: { user: SignedIn; id: string; change: DraftChange },
  ): DraftStored | DraftRefusal {
    const { baseVersion, previous, account, ...fields } = change;
    const now = clock.now();
    const writer = findWriter(tx, settings, user, now, account);
    if ('refused' in writer) return writer;
    const taken = rateLimits.takeIn(tx, stores, user.userId);
    if (!taken.allowed) return tooOften(taken.retryAfterSeconds);
    const typed = { writer, id, baseVersion, previous, fields };
    // Text can outlive the user's access to its post. Then it is that of a new post.
    const found =
      baseVersion === null ? refuse('not_found') : findChangeable(tx, settings, { user, id, now });
    if (!('refused' in found)) return write(tx, { ...typed, post: found.post });
    const isNew = found.refused === 'not_found' && typeof baseVersion !== 'number';
    return isNew && isDraftId(id) ? write(tx, { ...typed, post: null }) : found;
  }

  return {
    /** Newest first. */
    list(user: SignedIn): DraftList {
      const { slug, published, authorId } = blogPosts;
      const rows = db
        .select({
          id: blogPostDrafts.id,
          postId: blogPostDrafts.postId,
          title: sql<string>`${blogPostDrafts.fields} ->> 'title'`,
          updatedAt: blogPostDrafts.updatedAt,
          post: { slug, published, authorId },
        })
        .from(blogPostDrafts)
        .leftJoin(blogPosts, and(isLive, eq(blogPosts.id, blogPostDrafts.postId)))
        .where(eq(blogPostDrafts.userId, user.userId))
        .orderBy(desc(blogPostDrafts.updatedAt))
        .all();
      return {
        drafts: rows.map(({ post, updatedAt, ...row }) => ({
          ...row,
          slug: post && accessTo(settings, post, user) === 'change' ? post.slug : null,
          updatedAt: toIso(updatedAt),
        })),
      };
    },

    find: (user: SignedIn, id: string): Draft | null => findDraft(db, user.userId, id),

    store: (user: SignedIn, id: string, change: DraftChange): Promise<DraftStored | DraftRefusal> =>
      writeTransaction(db, (tx) => storeIn(tx, { user, id, change })),

    /**
     * @param updatedAt time of the draft to discard; without it, any draft is discarded
     * @returns whether there was one
     */
    discard(user: SignedIn, id: string, updatedAt?: string): Promise<boolean | DraftRefusal> {
      return writeTransaction(db, (tx) => {
        const writer = findWriter(tx, settings, user, clock.now());
        if ('refused' in writer) return writer;
        const stored = selectDraft(tx, writer.userId, id);
        if (!stored) return false;
        const isNewer = updatedAt !== undefined && updatedAt !== timeOf(stored);
        return isNewer ? refuse('draft_changed') : deleteDraft(tx, writer.userId, id);
      });
    },
  };
}

interface Typed {
  writer: SessionUser;
  id: string;
  /** Null for a new post. */
  post: StoredPost | null;
  baseVersion: number | null | undefined;
  previous: string | null | undefined;
  fields: DraftFields;
}

export const deleteOldDrafts = ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  const isOld = lt(blogPostDrafts.updatedAt, clock.now() - draftLifetime);
  return deleteInBatches(db, blogPostDrafts, isOld, draftsPerBatch);
};

const findDraft = (db: DatabaseOrTransaction, userId: string, id: string): Draft | null => {
  const row = selectDraft(db, userId, id);
  if (!row) return null;
  const { postId, fields, updatedAt } = row;
  const baseVersion = postId === null ? null : row.baseVersion;
  // Drafts stored before posts had tags lack the field.
  const typed = { ...fields, tags: fields.tags ?? '' };
  return { id, postId, baseVersion, fields: typed, updatedAt: toIso(updatedAt) };
};

/**
 * Deletes the draft that a save names, in the transaction of the save, if the saved text continues
 * that draft or equals it. Newer text from another tab or device stays, and the editor offers it.
 */
export function deleteSavedDraft(
  tx: Transaction,
  userId: string,
  { draft, draftUpdatedAt }: { draft: string | undefined; draftUpdatedAt: string | undefined },
  saved: PostTexts,
): void {
  if (draft === undefined) return;
  const stored = selectDraft(tx, userId, draft);
  if (!stored) return;
  const isContinued = timeOf(stored) === draftUpdatedAt;
  if (isContinued || isSaved(saved, stored.fields)) deleteDraft(tx, userId, draft);
}

export const deleteDraft = (tx: Transaction, userId: string, id: string): boolean =>
  tx.delete(blogPostDrafts).where(isDraft(userId, id)).run().changes > 0;

const isDraft = (userId: string, id: string) =>
  and(eq(blogPostDrafts.userId, userId), eq(blogPostDrafts.id, id));

const selectDraft = (db: DatabaseOrTransaction, userId: string, id: string): DraftRow | undefined =>
  db.select().from(blogPostDrafts).where(isDraft(userId, id)).get();

const timeOf = (row: DraftRow | undefined): string | null => (row ? toIso(row.updatedAt) : null);

type PostTexts = Pick<
  StoredPost,
  'title' | 'slug' | 'excerpt' | 'coverImage' | 'tags' | 'content' | 'published'
>;

const isSaved = (post: PostTexts, fields: DraftFields): boolean =>
  fields.title === post.title &&
  fields.slug === post.slug &&
  excerptIn(fields) === excerptIn(post) &&
  fields.coverImage === (post.coverImage ?? '') &&
  fields.tags === tagsText(post.tags) &&
  fields.content === post.content &&
  fields.published === post.published &&
  fields.scheduledAt === undefined;

/** An empty excerpt is generated from the content when the post is saved. */
const excerptIn = ({ excerpt, content }: Pick<PostTexts, 'excerpt' | 'content'>): string =>
  excerpt || excerptOf(content);

function refuseDraft(
  tx: Transaction,
  userId: string,
  id: string,
  bytes: number,
): QuotaRefusal | null {
  const others = tx
    .select({
      drafts: count(),
      bytes: sql<number>`coalesce(sum(${blogPostDrafts.bytes}), 0)`,
    })
    .from(blogPostDrafts)
    .where(and(eq(blogPostDrafts.userId, userId), ne(blogPostDrafts.id, id)))
    .get();
  if (!others) return null;
  if (others.drafts < maxDrafts && others.bytes + bytes <= maxBytes) return null;
  return {
    refused: 'quota',
    detail: writingMessages.tooManyDrafts(maxDrafts, maxBytes / 1_048_576),
  };
}

const tooOften = (retryAfterSeconds: number): QuotaRefusal => ({
  refused: 'quota',
  detail: writingMessages.draftsTooOften,
  retryAfterSeconds,
});
