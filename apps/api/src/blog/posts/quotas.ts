import { writingMessages } from '@app/contract/blog/messages';
import { hour } from '@app/contract/durations';
import type { Transaction } from '@app/db/open';
import { authorPublishes, blogPosts } from '@app/db/schema/blog';
import { count, eq } from 'drizzle-orm';
import type { SessionUser } from '../../accounts/sessions/live-session.ts';
import type { DiskSpace } from '../../server/health/disk-space.ts';
import {
  bytesOf,
  type RenderedTexts,
  renderedBytesOf,
  storedBodyBytes,
  storedTextBytes,
} from './stored-text.ts';

/** Limits per account, except staff. */
export interface Quotas {
  /** Including those in the trash. */
  posts: number;
  /** See `storedTextBytes`. */
  textBytes: number;
  publishesPerHour: number;
}

export interface QuotaRefusal {
  refused: 'quota';
  detail: string;
  /** Only if waiting helps. */
  retryAfterSeconds?: number;
}

/** Little space is left on the disk. */
export interface NoSpace {
  refused: 'no_space';
}

export type SavedPost = Pick<
  typeof blogPosts.$inferSelect,
  'id' | 'authorId' | 'title' | 'excerpt' | 'content' | 'published' | 'scheduledAt'
>;

const megabyte = 1_048_576;

export interface QuotaParts {
  quotas: Quotas;
  diskSpace: DiskSpace;
}

type Writer = Pick<SessionUser, 'userId' | 'role'>;

interface Save {
  before?: SavedPost;
  after: SavedPost;
  /** Null if the content stays the same. Undefined if no version of the post is stored. */
  body?: RenderedTexts | null;
  now: number;
}

/** Null if the user can save the post. Counts publishing, so call it after all other checks. */
export function takeFromQuotas(
  tx: Transaction,
  parts: QuotaParts,
  writer: Writer,
  save: Save,
): QuotaRefusal | NoSpace | null {
  const { quotas } = parts;
  const { before, after, now } = save;
  const { userId, role } = writer;
  const isStaff = role === 'staff';
  return (
    (before || isStaff ? null : refusePost(tx, quotas, userId)) ??
    refuseText(tx, parts, writer, save) ??
    (!isStaff && (after.published || isNewlyScheduled(before, after))
      ? countPublish(tx, quotas, userId, now)
      : null)
  );
}

/** Scheduling counts as publishing, so that the post is not refused when it is due. */
export const isNewlyScheduled = (
  before: SavedPost | undefined,
  { scheduledAt }: SavedPost,
): boolean => scheduledAt !== null && scheduledAt !== before?.scheduledAt;

function refusePost(tx: Transaction, quotas: Quotas, userId: string): QuotaRefusal | null {
  const isTheirs = eq(blogPosts.authorId, userId);
  const row = tx.select({ posts: count() }).from(blogPosts).where(isTheirs).get();
  if ((row?.posts ?? 0) < quotas.posts) return null;
  return { refused: 'quota', detail: writingMessages.tooManyPosts(quotas.posts) };
}

/** Null if the text fits, or the save makes it smaller or takes it off the site. */
function refuseText(
  tx: Transaction,
  { quotas, diskSpace }: QuotaParts,
  { userId, role }: Writer,
  { before, after, body }: Save,
): QuotaRefusal | NoSpace | null {
  if (body === undefined) return null;
  const [bytes, bytesBefore] = [bytesOf(after), before ? bytesOf(before) : 0];
  const isUnpublished = before?.published && !after.published;
  if (isUnpublished && bytes <= bytesBefore) return null;
  const rendered = body === null ? 0 : renderedBytesOf(body) - storedBodyBytes(tx, after.id);
  // A version of the post is stored as well.
  const growth = bytes - bytesBefore + rendered + bytes;
  if (growth <= 0) return null;
  return refuseSpace(diskSpace, role) ?? refuseGrowth(tx, quotas, { userId, role }, growth);
}

/** Null if there is enough space on the disk. */
export const refuseSpace = (diskSpace: DiskSpace, role: Writer['role']): NoSpace | null =>
  diskSpace.isShort(role) ? { refused: 'no_space' } : null;

/** Null if an account may store more text. */
export function refuseGrowth(
  tx: Transaction,
  quotas: Quotas,
  { userId, role }: Writer,
  bytes: number,
): QuotaRefusal | null {
  if (role === 'staff' || storedTextBytes(tx, userId) + bytes <= quotas.textBytes) return null;
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
