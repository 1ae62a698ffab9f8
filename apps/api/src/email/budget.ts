import { hash } from 'node:crypto';
import { day } from '@app/contract/durations';
import { normalizeEmail } from '@app/contract/email-address';
import type { Database, DatabaseOrTransaction, Transaction } from '@app/db/open';
import { preparedStatements } from '@app/db/prepared-statements';
import { requestedEmails } from '@app/db/schema/email';
import { and, between, count, eq, notBetween, sql } from 'drizzle-orm';

/** Per budget: emails of all kinds that visitors can trigger. */
const maxPerDay = 8;

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
  /** Only for emails that let an owner back in: the account, or null if no email will be sent. */
  account?: { emailConfirmedAt: number | null } | null;
}

/**
 * Each account has its own budget, so that nothing else that strangers send to a mailbox blocks a
 * password reset. The unconfirmed accounts of a mailbox share one, because strangers can create any
 * number of them with plus tags.
 */
function budgetOf({ email, account }: EmailRequest): string {
  if (account === undefined) return mailboxOf(email);
  const isConfirmed = account !== null && account.emailConfirmedAt !== null;
  return isConfirmed ? `account ${email}` : `unconfirmed ${mailboxOf(email)}`;
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
  const { kind, max = maxPerDay, account } = request;
  const statements = statementsOf(db);
  const mailboxHash = hash('sha256', budgetOf(request));
  const counted = statements.count.all({ mailboxHash, since: now - day + 1, until: now + day });
  const inAll = counted.reduce((sum, { emails }) => sum + emails, 0);
  const ofKind = counted.find((row) => row.kind === kind)?.emails ?? 0;
  const isSent = account !== null && inAll < maxPerDay && ofKind < max;
  statements.store.run({ mailboxHash: isSent ? mailboxHash : noMailbox, kind, createdAt: now });
  return isSent;
}

export function deleteOldRequests(db: DatabaseOrTransaction, now: number): void {
  db.delete(requestedEmails)
    .where(notBetween(requestedEmails.createdAt, now - day + 1, now + day))
    .run();
}
