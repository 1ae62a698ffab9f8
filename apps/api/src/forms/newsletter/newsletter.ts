import { day } from '@app/contract/durations';
import { confirmationEmails, type NewsletterSubscription } from '@app/contract/forms/newsletter';
import { deleteInBatches } from '@app/db/delete-in-batches';
import type { DatabaseOrTransaction, Transaction } from '@app/db/open';
import { newsletterSubscriptions as subscriptions } from '@app/db/schema/forms/newsletter';
import { sharedCommit } from '@app/db/shared-commit';
import { writeTransaction } from '@app/db/write-transaction';
import { and, eq, inArray, lt, ne } from 'drizzle-orm';
import { countEmailRequest } from '../../email/budget.ts';
import type { Deps } from '../../email/deps.ts';
import { enqueueEmail } from '../../email/outbox.ts';
import { hashToken, newId, newToken } from '../../tokens.ts';
import { newsletterConfirmationEmail, welcomeEmail } from './emails.ts';

const linkLifetime = 2 * day;

const { max, pause, rest } = confirmationEmails;

/** Since the last confirmation email. */
const unconfirmedLifetime = 30 * day;

/** Emails a link that replaces earlier ones. Replies the same if a limit allows no email. */
export async function subscribe(
  { db, clock, outbox, settings }: Deps,
  { email }: NewsletterSubscription,
): Promise<'pending' | 'already_subscribed'> {
  const outcome = await sharedCommit(db, (tx) => {
    const now = clock.now();
    const known = tx.select().from(subscriptions).where(eq(subscriptions.email, email)).get();
    if (known?.state === 'confirmed') return 'already_subscribed';
    const confirmationEmailsSent = countConfirmationEmails(known, now);
    if (confirmationEmailsSent === null) return 'pending';
    if (!countEmailRequest(tx, { email, kind: 'newsletter-confirmation' }, { db, now }))
      return 'pending';
    const token = newToken();
    const pending = {
      state: 'pending' as const,
      confirmTokenHash: hashToken(token),
      confirmExpiresAt: now + linkLifetime,
      // Links in earlier newsletters must keep working.
      unsubscribeToken: known?.unsubscribeToken ?? newToken(),
      confirmationEmailsSent,
    };
    if (known) {
      tx.update(subscriptions).set(pending).where(eq(subscriptions.id, known.id)).run();
    } else {
      tx.insert(subscriptions)
        .values({ ...pending, id: newId(), email, createdAt: now })
        .run();
    }
    enqueueEmail(tx, now, newsletterConfirmationEmail(email, settings.publicUrl, token));
    return 'pending';
  });
  outbox.wake();
  return outcome;
}

type Subscription = typeof subscriptions.$inferSelect;

/** The number of confirmation emails with the next one; null if none may be sent now. */
function countConfirmationEmails(known: Subscription | undefined, now: number): number | null {
  if (!known || known.confirmExpiresAt === null) return 1;
  const sinceLast = now - (known.confirmExpiresAt - linkLifetime);
  // Negative if the clock was set back.
  if (sinceLast >= rest || sinceLast < -pause) return 1;
  const sent = known.confirmationEmailsSent;
  return sent < max && sinceLast >= pause ? sent + 1 : null;
}

/** `used` means that the subscription is confirmed. */
type ConfirmationLink = 'open' | 'used' | 'dead';

/** Does not use up the link. */
export const findConfirmationLink = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  token: string,
): ConfirmationLink => stateOfLink(findByConfirmToken(db, token), clock.now());

const findByConfirmToken = (db: DatabaseOrTransaction, token: string) =>
  db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.confirmTokenHash, hashToken(token)))
    .get();

function stateOfLink(subscription: Subscription | undefined, now: number): ConfirmationLink {
  if (subscription?.state === 'confirmed') return 'used';
  const left = (subscription?.confirmExpiresAt ?? 0) - now;
  // More time left than possible: the clock was set back.
  const isOpen = subscription?.state === 'pending' && left > 0 && left <= 2 * linkLifetime;
  return isOpen ? 'open' : 'dead';
}

/** @returns whether the address is subscribed, also if it was confirmed before */
export async function confirmSubscription(
  { db, clock, outbox, settings }: Deps,
  token: string,
): Promise<boolean> {
  const isOnList = await writeTransaction(db, (tx) => {
    const now = clock.now();
    const subscription = findByConfirmToken(tx, token);
    const link = stateOfLink(subscription, now);
    if (!subscription || link !== 'open') return link === 'used';
    const { id, email, unsubscribeToken } = subscription;
    if (unsubscribeToken === null) throw new Error(`subscription ${id} has no unsubscribe token`);
    tx.update(subscriptions)
      .set({ state: 'confirmed', confirmedAt: now })
      .where(eq(subscriptions.id, id))
      .run();
    enqueueEmail(tx, now, welcomeEmail(email, settings.publicUrl, unsubscribeToken));
    return true;
  });
  outbox.wake();
  return isOnList;
}

const findByUnsubscribeToken = (db: DatabaseOrTransaction, token: string) =>
  db.select().from(subscriptions).where(eq(subscriptions.unsubscribeToken, token)).get();

export const isUnsubscribeLink = ({ db }: Deps, token: string): boolean =>
  findByUnsubscribeToken(db, token) !== undefined;

/** @returns false for an unknown token */
export const unsubscribe = ({ db, clock }: Deps, token: string): Promise<boolean> =>
  writeTransaction(db, (tx) => {
    const subscription = findByUnsubscribeToken(tx, token);
    if (!subscription) return false;
    if (subscription.state !== 'unsubscribed') {
      tx.update(subscriptions)
        .set({ state: 'unsubscribed', unsubscribedAt: clock.now() })
        .where(eq(subscriptions.id, subscription.id))
        .run();
    }
    return true;
  });

/** Unsubscribes addresses to which email bounced, or whose owner marked it as spam. */
export function unsubscribeSuppressed(
  tx: Transaction,
  now: number,
  emails: readonly string[],
): void {
  const isSubscribed = and(
    inArray(subscriptions.email, emails),
    ne(subscriptions.state, 'unsubscribed'),
  );
  tx.update(subscriptions)
    .set({ state: 'unsubscribed', unsubscribedAt: now })
    .where(isSubscribed)
    .run();
}

export async function deleteUnconfirmedSubscriptions({ db, clock }: Deps): Promise<void> {
  const isOverdue = and(
    eq(subscriptions.state, 'pending'),
    lt(subscriptions.confirmExpiresAt, clock.now() - unconfirmedLifetime + linkLifetime),
  );
  await deleteInBatches(db, subscriptions, isOverdue);
}
