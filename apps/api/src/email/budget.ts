import { hash } from 'node:crypto';
import { day } from '@app/contract/durations';
import { normalizeEmail } from '@app/contract/email-address';
import type { Database, DatabaseOrTransaction, Transaction } from '@app/db/open';
import { preparedStatements } from '@app/db/prepared-statements';
import { requestedEmails } from '@app/db/schema/email';
import { and, between, count, eq, notBetween, sql } from 'drizzle-orm';

/**
 * Emails of all kinds that visitors can trigger to a mailbox in a day. Those that let an owner in
 * have the last two to themselves.
 */
const maxPerDay = { all: 4, withDots: 5, ofOwner: 6 };

/** Stored instead of a hash for a request that sends no email. */
const noMailbox = '';

/** Removes plus tags (RFC 5233) and, for Gmail, dots. For counting only. */
export function mailboxOf(email: string): string {
  const address = normalizeEmail(email);
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
        // Later emails were counted while the clock was ahead.
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

interface EmailRequest {
  email: string;
  kind: string;
  /** Limit of this kind per day. */
  max?: number;
  /** False if no email will be sent. */
  isSent?: boolean;
  /** Only for an email that lets an owner in: the account. */
  letsInto?: { emailConfirmedAt: number | null };
}

/**
 * A stranger can invent addresses of a mailbox with tags and, for Gmail, with dots. They must not
 * use up the emails to the address of its owner: that of a confirmed account, or else the plain one.
 */
function maxOf({ email, letsInto }: EmailRequest): number {
  if (!letsInto) return maxPerDay.all;
  const isPlain = normalizeEmail(email) === mailboxOf(email);
  if (isPlain || letsInto.emailConfirmedAt !== null) return maxPerDay.ofOwner;
  return email.includes('+') ? maxPerDay.all : maxPerDay.withDots;
}

/**
 * Counts an email that anyone can trigger, in the transaction that enqueues it. If none will be
 * sent, it does the same work but counts for no mailbox: strangers could use up a budget unnoticed.
 * @returns whether to send the email
 */
export function countEmailRequest(
  _tx: Transaction,
  request: EmailRequest,
  { db, now }: { db: Database; now: number },
): boolean {
  const { email, kind, max = Number.POSITIVE_INFINITY, isSent = true } = request;
  const statements = statementsOf(db);
  const mailboxHash = hash('sha256', mailboxOf(email));
  const counted = statements.count.all({ mailboxHash, since: now - day + 1, until: now + day });
  const inAll = counted.reduce((sum, { emails }) => sum + emails, 0);
  const ofKind = counted.find((row) => row.kind === kind)?.emails ?? 0;
  const isAllowed = isSent && inAll < maxOf(request) && ofKind < max;
  statements.store.run({ mailboxHash: isAllowed ? mailboxHash : noMailbox, kind, createdAt: now });
  return isAllowed;
}

export function deleteOldRequests(db: DatabaseOrTransaction, now: number): void {
  db.delete(requestedEmails)
    .where(notBetween(requestedEmails.createdAt, now - day + 1, now + day))
    .run();
}
