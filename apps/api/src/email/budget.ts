import { hash } from 'node:crypto';
import type { Database, DatabaseOrTransaction, Transaction } from '@app/db/open';
import { preparedStatements } from '@app/db/prepared-statements';
import { requestedEmails } from '@app/db/schema/email';
import { and, between, count, eq, notBetween, sql } from 'drizzle-orm';

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

const statementsOf = preparedStatements((db) => ({
  count: db
    .select({ kind: requestedEmails.kind, emails: count() })
    .from(requestedEmails)
    .where(
      and(
        eq(requestedEmails.mailboxHash, sql.placeholder('mailboxHash')),
        // Later ones were stored while the clock was ahead.
        between(requestedEmails.createdAt, sql.placeholder('since'), sql.placeholder('until')),
      ),
    )
    .groupBy(requestedEmails.kind)
    .prepare(),
  store: db
    .insert(requestedEmails)
    .values({
      mailboxHash: sql.placeholder('mailboxHash'),
      kind: sql.placeholder('kind'),
      createdAt: sql.placeholder('createdAt'),
    })
    .prepare(),
}));

/**
 * Counts an email that anyone can trigger, in the transaction that enqueues it.
 * @param max of this kind per day
 * @returns false if the limit is reached: do nothing then
 */
export function countEmailRequest(
  _tx: Transaction,
  { email, kind, max = maxPerDay }: { email: string; kind: string; max?: number },
  { db, now }: { db: Database; now: number },
): boolean {
  const statements = statementsOf(db);
  const mailboxHash = hash('sha256', mailboxOf(email));
  const counted = statements.count.all({ mailboxHash, since: now - day + 1, until: now + day });
  const inAll = counted.reduce((sum, { emails }) => sum + emails, 0);
  const ofKind = counted.find((row) => row.kind === kind)?.emails ?? 0;
  if (inAll >= maxPerDay || ofKind >= max) return false;
  statements.store.run({ mailboxHash, kind, createdAt: now });
  return true;
}

export function deleteOldRequests(db: DatabaseOrTransaction, now: number): void {
  db.delete(requestedEmails)
    .where(notBetween(requestedEmails.createdAt, now - day + 1, now + day))
    .run();
}
