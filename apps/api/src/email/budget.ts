import { hash } from 'node:crypto';
import type { DatabaseOrTransaction, Transaction } from '@app/db/open';
import { requestedEmails } from '@app/db/schema/email';
import { and, between, count, eq, notBetween } from 'drizzle-orm';

const day = 24 * 60 * 60 * 1_000;

/** Emails per mailbox that visitors can trigger, of all kinds. */
const maxPerDay = 8;

/** Removes plus tags (RFC 5233) and, for Gmail, dots. For counting only. */
export function mailboxOf(email: string): string {
  const address = email.toLowerCase();
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at).replace(/\+.*/s, '');
  const domain = address.slice(at + 1);
  const isGmail = domain === 'gmail.com' || domain === 'googlemail.com';
  return isGmail ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${domain}`;
}

/**
 * Counts an email that anyone can trigger, in the transaction that enqueues it.
 * @param max of this kind per day
 * @returns false if the limit is reached: do nothing then
 */
export function countEmailRequest(
  tx: Transaction,
  { email, kind, max = maxPerDay }: { email: string; kind: string; max?: number },
  now: number,
): boolean {
  const mailboxHash = hash('sha256', mailboxOf(email));
  const ofMailbox = and(
    eq(requestedEmails.mailboxHash, mailboxHash),
    // Later ones were stored while the clock was ahead.
    between(requestedEmails.createdAt, now - day + 1, now + day),
  );
  const counted = tx
    .select({ kind: requestedEmails.kind, emails: count() })
    .from(requestedEmails)
    .where(ofMailbox)
    .groupBy(requestedEmails.kind)
    .all();
  const inAll = counted.reduce((sum, { emails }) => sum + emails, 0);
  const ofKind = counted.find((row) => row.kind === kind)?.emails ?? 0;
  if (inAll >= maxPerDay || ofKind >= max) return false;
  tx.insert(requestedEmails).values({ mailboxHash, kind, createdAt: now }).run();
  return true;
}

export function deleteOldRequests(db: DatabaseOrTransaction, now: number): void {
  db.delete(requestedEmails)
    .where(notBetween(requestedEmails.createdAt, now - day + 1, now + day))
    .run();
}
