import type { Transaction } from '@app/db/open';
import { profiles } from '@app/db/schema/accounts';
import { blogPresence } from '@app/db/schema/blog';
import { writeTransaction } from '@app/db/write-transaction';
import { and, eq, ne, notBetween } from 'drizzle-orm';
import { authorColumns, nameOf } from '../../accounts/profile/author.ts';
import type { Deps } from '../deps.ts';

/** In milliseconds. The editor reports every 15 seconds that it is open. */
const lifetime = 30_000;

const maxShown = 20;

/** Who has which post open in the editor. */
export function createPresence({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  return {
    /** @returns the names of the others; null for those without a name */
    stay: (postId: string, userId: string): Promise<(string | null)[]> =>
      writeTransaction(db, (tx) => {
        const now = clock.now();
        deleteExpired(tx, postId, now);
        const expiresAt = now + lifetime;
        tx.insert(blogPresence)
          .values({ postId, userId, expiresAt })
          .onConflictDoUpdate({
            target: [blogPresence.postId, blogPresence.userId],
            set: { expiresAt },
          })
          .run();
        return tx
          .select(authorColumns)
          .from(blogPresence)
          .leftJoin(profiles, eq(profiles.id, blogPresence.userId))
          .where(and(eq(blogPresence.postId, postId), ne(blogPresence.userId, userId)))
          .limit(maxShown)
          .all()
          .map(nameOf);
      }),

    leave: (postId: string, userId: string): Promise<void> =>
      writeTransaction(db, (tx) => {
        tx.delete(blogPresence)
          .where(and(eq(blogPresence.postId, postId), eq(blogPresence.userId, userId)))
          .run();
      }),
  };
}

export type Presence = ReturnType<typeof createPresence>;

/** Also rows that were stored while the clock was ahead. */
function deleteExpired(tx: Transaction, postId: string, now: number): void {
  const isExpired = notBetween(blogPresence.expiresAt, now + 1, now + lifetime);
  tx.delete(blogPresence)
    .where(and(eq(blogPresence.postId, postId), isExpired))
    .run();
}
