import { normalizeEmail } from '@app/contract/email-address';
import type { Database, Transaction } from '@app/db/open';
import { emailSuppressions } from '@app/db/schema/email';
import { writeTransaction } from '@app/db/write-transaction';
import { eq, sql } from 'drizzle-orm';
import type { Deps } from './deps.ts';

type Suppression = typeof emailSuppressions.$inferSelect;

export function findSuppression(db: Database, email: string): Suppression | null {
  const isOfAddress = eq(emailSuppressions.email, normalizeEmail(email));
  return db.select().from(emailSuppressions).where(isOfAddress).get() ?? null;
}

/**
 * A mailbox that does not exist gets nothing. Its owner who complained still gets what they ask for,
 * or must see: one click on 'Spam' in a newsletter must not lock them out of their account.
 */
export const stops = { bounce: 'all', complaint: 'all except account emails' } as const;

export const isStoppedBy = ({ reason }: Suppression, isAccountEmail: boolean): boolean =>
  stops[reason] === 'all' || !isAccountEmail;

export interface Suppress {
  emails: readonly string[];
  reason: Suppression['reason'];
  detail: string | null;
}

/** Called in the transaction that stops email to these addresses, which are normalized. */
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
      .onConflictDoUpdate({
        target: emailSuppressions.email,
        set: { reason, detail, createdAt: now },
        // A bounce stops more than a complaint. Otherwise, the first report is kept.
        setWhere: sql`${emailSuppressions.reason} = 'complaint' and excluded.reason = 'bounce'`,
      })
      .run();
    for (const hook of onSuppressed) hook(tx, now, others);
    return true;
  });
  if (!isDone) return;
  if (all.includes(own))
    log.error({ reason, detail }, 'email to our own mailbox was bounced or marked as spam');
  if (others.length > 0)
    log.warn({ emails: others, reason, detail, stops: stops[reason] }, 'addresses suppressed');
}
