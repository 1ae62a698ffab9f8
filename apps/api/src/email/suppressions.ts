import type { Database } from '@app/db/open';
import { emailSuppressions } from '@app/db/schema/email';
import { newsletterSubscriptions } from '@app/db/schema/forms/newsletter';
import { writeTransaction } from '@app/db/write-transaction';
import { and, eq, inArray, ne } from 'drizzle-orm';
import type { Deps } from './deps.ts';

type Suppression = typeof emailSuppressions.$inferSelect;

/** Null if the address is not suppressed. */
export function findSuppression(db: Database, email: string): Suppression | null {
  const isTheirs = eq(emailSuppressions.email, email.toLowerCase());
  return db.select().from(emailSuppressions).where(isTheirs).get() ?? null;
}

export interface Suppress {
  emails: readonly string[];
  reason: Suppression['reason'];
  detail: string | null;
}

/**
 * Stops all email to these addresses and ends their newsletter subscriptions.
 *
 * Skips the owner's mailbox, which would get no more notices after one bounce. That is logged as an
 * error instead.
 */
export async function suppress(
  { db, clock, log, settings }: Deps,
  { emails, reason, detail }: Suppress,
): Promise<void> {
  const own = settings.emailTo.toLowerCase();
  const all = [...new Set(emails.map((email) => email.trim().toLowerCase()))];
  if (all.includes(own)) log.error({ reason, detail }, 'email to our own mailbox bounces');
  const others = all.filter((email) => email !== own);
  if (others.length === 0) return;

  const now = clock.now();
  await writeTransaction(db, (tx) => {
    tx.insert(emailSuppressions)
      .values(others.map((email) => ({ email, reason, detail, createdAt: now })))
      .onConflictDoNothing()
      .run();
    tx.update(newsletterSubscriptions)
      .set({ state: 'unsubscribed', unsubscribedAt: now })
      .where(
        and(
          inArray(newsletterSubscriptions.email, others),
          ne(newsletterSubscriptions.state, 'unsubscribed'),
        ),
      )
      .run();
  });
  log.warn({ emails: others, reason, detail }, 'addresses suppressed');
}
