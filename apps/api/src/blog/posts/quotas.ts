import { writingMessages } from '@app/contract/blog/messages';
import { hour } from '@app/contract/durations';
import type { Transaction } from '@app/db/open';
import { users } from '@app/db/schema/accounts';
import { authorPublishes, blogPosts } from '@app/db/schema/blog';
import { and, count, eq, ne, sql } from 'drizzle-orm';

/** Limits per account, except staff. */
export interface Quotas {
  /** Including those in the trash. */
  posts: number;
  /** Titles, excerpts and contents of all posts in UTF-8, including drafts and the trash. */
  textBytes: number;
  publishesPerHour: number;
}

export interface QuotaRefusal {
  refused: 'quota';
  detail: string;
  /** Only if waiting helps. */
  retryAfterSeconds?: number;
}

type SavedPost = Pick<
  typeof blogPosts.$inferSelect,
  'id' | 'authorId' | 'title' | 'excerpt' | 'content' | 'published' | 'scheduledAt'
>;

const megabyte = 1_048_576;

const bytesOf = ({ title, excerpt, content }: SavedPost): number =>
  Buffer.byteLength(title) + Buffer.byteLength(excerpt) + Buffer.byteLength(content);

/** Null if the user can save the post. Counts publishing, so call it after all other checks. */
export function takeFromQuotas(
  tx: Transaction,
  quotas: Quotas,
  { userId, role }: { userId: string; role: string },
  { before, after, now }: { before?: SavedPost; after: SavedPost; now: number },
): QuotaRefusal | null {
  if (role === 'staff') return null;
  return (
    (before ? null : refusePost(tx, quotas, userId)) ??
    refuseText(tx, quotas, after, before) ??
    (after.published || isNewlyScheduled(before, after)
      ? countPublish(tx, quotas, userId, now)
      : null)
  );
}

/** Scheduling counts as publishing, so that the post is not refused when it is due. */
const isNewlyScheduled = (before: SavedPost | undefined, { scheduledAt }: SavedPost): boolean =>
  scheduledAt !== null && scheduledAt !== before?.scheduledAt;

function refusePost(tx: Transaction, quotas: Quotas, userId: string): QuotaRefusal | null {
  const isTheirs = eq(blogPosts.authorId, userId);
  const row = tx.select({ posts: count() }).from(blogPosts).where(isTheirs).get();
  if ((row?.posts ?? 0) < quotas.posts) return null;
  return { refused: 'quota', detail: writingMessages.tooManyPosts(quotas.posts) };
}

/** Null if the text fits or was shortened, or if its author is staff or deleted. */
function refuseText(
  tx: Transaction,
  quotas: Quotas,
  after: SavedPost,
  before?: SavedPost,
): QuotaRefusal | null {
  const { authorId } = after;
  const bytes = bytesOf(after);
  if (authorId === null || (before && bytes <= bytesOf(before))) return null;
  const author = tx.select({ role: users.role }).from(users).where(eq(users.id, authorId)).get();
  if (author?.role !== 'member') return null;
  const others = tx
    // SQLite's octet_length does not read the texts.
    .select({
      bytes: sql<number>`coalesce(sum(octet_length(${blogPosts.title}) + octet_length(${blogPosts.excerpt}) + octet_length(${blogPosts.content})), 0)`,
    })
    .from(blogPosts)
    .where(and(eq(blogPosts.authorId, authorId), ne(blogPosts.id, after.id)))
    .get();
  if ((others?.bytes ?? 0) + bytes <= quotas.textBytes) return null;
  const detail = writingMessages.tooMuchText(Math.floor(quotas.textBytes / megabyte));
  return { refused: 'quota', detail };
}

function countPublish(
  tx: Transaction,
  quotas: Quotas,
  userId: string,
  now: number,
): QuotaRefusal | null {
  const window = tx.select().from(authorPublishes).where(eq(authorPublishes.userId, userId)).get();
  // If the clock was set back, a new hour begins.
  const isOver = !window || now >= window.windowStart + hour || now < window.windowStart;
  if (!isOver && window.count >= quotas.publishesPerHour) {
    const milliseconds = window.windowStart + hour - now;
    const detail = writingMessages.publishedTooOften(
      quotas.publishesPerHour,
      Math.ceil(milliseconds / 60_000),
    );
    return { refused: 'quota', detail, retryAfterSeconds: Math.ceil(milliseconds / 1_000) };
  }
  const row = isOver
    ? { windowStart: now, count: 1 }
    : { windowStart: window.windowStart, count: window.count + 1 };
  tx.insert(authorPublishes)
    .values({ userId, ...row })
    .onConflictDoUpdate({ target: authorPublishes.userId, set: row })
    .run();
  return null;
}
