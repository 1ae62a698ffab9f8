import { hash } from 'node:crypto';
import type { DatabaseOrTransaction, Transaction } from '@app/db/open';
import { requestedEmails } from '@app/db/schema/email';
import { and, between, count, eq, notBetween } from 'drizzle-orm';

const day = 24 * 60 * 60 * 1_000;

/** How many emails visitors may have sent to one mailbox in 24 hours, of all kinds together. */
const maxPerDay = 8;

/**
 * The mailbox that an address belongs to: what follows a plus sign only sorts its mail (RFC 5233),
 * and Gmail does not count dots. Used for counting, never for sending.
 */
export function mailboxOf(email: string): string {
  const address = email.toLowerCase();
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at).replace(/\+.*/s, '');
  const domain = address.slice(at + 1);
  const isGmail = domain === 'gmail.com' || domain === 'googlemail.com';
  return isGmail ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${domain}`;
}

/**
 * Counts an email that anybody could ask for, before it is enqueued in the same transaction; false
 * when the mailbox got enough today, and then nothing is to be done at all. What the owner of an
 * account asks for their own address is not counted.
 * @param most of this kind a day, where that is less
 */
export function countEmailRequest(
  tx: Transaction,
  { email, kind, most = maxPerDay }: { email: string; kind: string; most?: number },
  now: number,
): boolean {
  const mailboxHash = hash('sha256', mailboxOf(email));
  const ofMailbox = and(
    eq(requestedEmails.mailboxHash, mailboxHash),
    // Later ones come from a clock that was set back since.
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
  if (inAll >= maxPerDay || ofKind >= most) return false;
  tx.insert(requestedEmails).values({ mailboxHash, kind, createdAt: now }).run();
  return true;
}

/** Forgets what counts no more. */
export function deleteOldRequests(db: DatabaseOrTransaction, now: number): void {
  db.delete(requestedEmails)
    .where(notBetween(requestedEmails.createdAt, now - day + 1, now + day))
    .run();
}
