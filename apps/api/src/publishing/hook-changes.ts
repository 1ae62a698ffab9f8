import type { Transaction } from '@app/db/open';
import { publishHookChanges } from '@app/db/schema/publishing';
import { asc, count, eq, inArray, isNotNull, isNull } from 'drizzle-orm';
import { batchesOf } from '../batches.ts';
import { newId } from '../tokens.ts';

/** Stands for all paths. */
export const everything = '*';

const maxPathsPerRequest = 100;

/** More changed paths than this are replaced by `everything`. */
const maxWaiting = 1_000;

/** The body of a request. A retry sends the same body. */
export interface HookMessage {
  id: string;
  paths: string[];
  /** When the first of the paths changed, in milliseconds since 1970. */
  time: number;
}

/** A path that is already waiting keeps its place in the queue. */
export function storeChanges(tx: Transaction, now: number, paths: ReadonlySet<string>): void {
  const isWaiting = isNull(publishHookChanges.messageId);
  const waiting = tx.select({ rows: count() }).from(publishHookChanges).where(isWaiting).get();
  const isTooMuch = (waiting?.rows ?? 0) + paths.size > maxWaiting;
  if (paths.has(everything) || isTooMuch) {
    tx.delete(publishHookChanges).where(isWaiting).run();
    tx.insert(publishHookChanges).values({ path: everything, createdAt: now }).run();
    return;
  }
  for (const batch of batchesOf([...paths], maxPathsPerRequest)) {
    const rows = batch.map((path) => ({ path, createdAt: now }));
    tx.insert(publishHookChanges).values(rows).onConflictDoNothing().run();
  }
}

/** The undelivered message, or a new one with the oldest changes. Null if there are none. */
export function nextMessage(tx: Transaction): HookMessage | null {
  const rows = tx
    .select()
    .from(publishHookChanges)
    .where(isNotNull(publishHookChanges.messageId))
    .orderBy(asc(publishHookChanges.id))
    .all();
  const [started] = rows;
  if (started?.messageId) return messageOf(started.messageId, rows);
  const oldest = tx
    .select()
    .from(publishHookChanges)
    .orderBy(asc(publishHookChanges.id))
    .limit(maxPathsPerRequest)
    .all();
  if (oldest.length === 0) return null;
  const messageId = newId();
  const ids = oldest.map(({ id }) => id);
  tx.update(publishHookChanges).set({ messageId }).where(inArray(publishHookChanges.id, ids)).run();
  return messageOf(messageId, oldest);
}

function messageOf(
  id: string,
  changes: readonly { path: string; createdAt: number }[],
): HookMessage {
  const paths = changes.map(({ path }) => path);
  const time = Math.min(...changes.map(({ createdAt }) => createdAt));
  return { id, paths: paths.includes(everything) ? [everything] : paths, time };
}

export const deleteMessage = (tx: Transaction, { id }: HookMessage): void =>
  void tx.delete(publishHookChanges).where(eq(publishHookChanges.messageId, id)).run();
