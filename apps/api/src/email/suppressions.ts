import { normalizeEmail } from '@app/contract/email-address';
import type { Database, Transaction } from '@app/db/open';
import { emailSuppressions } from '@app/db/schema/email';
import { writeTransaction } from '@app/db/write-transaction';
import { eq } from 'drizzle-orm';
import type { Deps } from './deps.ts';

type Suppression = typeof emailSuppressions.$inferSelect;

export function findSuppression(db: Database, email: string): Suppression | null {
  const isOfAddress = eq(emailSuppressions.email, normalizeEmail(email));
  return db.select().from(emailSuppressions).where(isOfAddress).get() ?? null;
}

export interface Suppress {
  emails: readonly string[];
  reason: Suppression['reason'];
  detail: string | null;
}

/** Called in the transaction that stops all email to these addresses, which are normalized. */
export type OnSuppressed = (tx: Transaction, now: number, emails: readonly string[]) => void;

export interface SuppressionDeps extends Deps {
  onSuppressed: readonly OnSuppressed[];
}

/**
 * Skips the owner's mailbox, which would get no more notices after one bounce. That is logged as an
 * error instead.
 * @param isNew whether the event has not been processed before; asked in the transaction
 */
export async function suppress(
  { db, clock, log, settings, onSuppressed }: SuppressionDeps,
  { emails, reason, detail }: Suppress,
  isNew: (tx: Transaction) => boolean,
): Promise<void> {
  const own = normalizeEmail(settings.emailTo);
  const all = [...new Set(emails.map(normalizeEmail))];
  const others = all.filter((email) => email !== own);
  const now = clock.now();
  const isDone = await writeTransaction(db, (tx) => {
    if (!isNew(tx)) return false;
    if (others.length === 0) return true;
    tx.insert(emailSuppressions)
      .values(others.map((email) => ({ email, reason, detail, createdAt: now })))
      .onConflictDoNothing()
      .run();
    for (const hook of onSuppressed) hook(tx, now, others);
    return true;
  });
  if (!isDone) return;
  if (all.includes(own))
    log.error({ reason, detail }, 'email to our own mailbox was bounced or marked as spam');
  if (others.length > 0) log.warn({ emails: others, reason, detail }, 'addresses suppressed');
}
