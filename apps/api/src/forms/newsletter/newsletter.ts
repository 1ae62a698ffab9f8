import { confirmationEmails, type NewsletterSubscription } from '@app/contract/forms/newsletter';
import { deleteInBatches } from '@app/db/delete-in-batches';
import type { DatabaseOrTransaction } from '@app/db/open';
import { newsletterSubscriptions as subscriptions } from '@app/db/schema/forms/newsletter';
import { sharedCommit } from '@app/db/shared-commit';
import { writeTransaction } from '@app/db/write-transaction';
import { and, eq, lt, ne, type SQL } from 'drizzle-orm';
import { takeFromBudget } from '../../email/budget.ts';
import type { Deps } from '../../email/deps.ts';
import { enqueueMail } from '../../email/outbox.ts';
import { hashToken, newId, newToken } from '../../tokens.ts';
import { newsletterConfirmationMail, welcomeMail } from './emails.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** How long the link of a confirmation mail works. */
const linkLifetime = 2 * day;

/** So in any 24 hours an address gets three emails at most. */
const { max: mostAsked, pause: pauseBetween, rest: pauseAfterMost } = confirmationEmails;

/** How long an address that nobody confirmed is kept, from when it was last asked. */
const unconfirmedLifetime = 30 * day;

/**
 * Puts an address on the list once its owner says so: what is mailed is the question. Asked
 * again, it mails a new link in place of the one before, within the limits above; the answer
 * is the same when nothing is mailed. Says whether the address was confirmed already.
 *
 * One link at a time: the newest mail is the one that people find on top.
 */
export async function subscribe(
  { db, clock, outbox, settings }: Deps,
  { email }: NewsletterSubscription,
): Promise<'asked' | 'already_subscribed'> {
  const outcome = await sharedCommit(db, (tx) => {
    const now = clock.now();
    const known = tx.select().from(subscriptions).where(eq(subscriptions.email, email)).get();
    if (known?.state === 'confirmed') return 'already_subscribed';
    const asked = countAsked(known, now);
    if (asked === null) return 'asked';
    if (!takeFromBudget(tx, { email, kind: 'newsletter-confirmation' }, now)) return 'asked';
    const token = newToken();
    const question = {
      state: 'pending' as const,
      confirmTokenHash: hashToken(token),
      confirmExpiresAt: now + linkLifetime,
      // That of earlier newsletters goes on working.
      unsubscribeToken: known?.unsubscribeToken ?? newToken(),
      asked,
      askedSince: asked === 1 ? now : known?.askedSince,
    };
    if (known) {
      tx.update(subscriptions).set(question).where(eq(subscriptions.id, known.id)).run();
    } else {
      tx.insert(subscriptions)
        .values({ ...question, id: newId(), email, createdAt: now })
        .run();
    }
    enqueueMail(tx, now, newsletterConfirmationMail(email, settings.publicUrl, token));
    return 'asked';
  });
  outbox.wake();
  return outcome;
}

type Subscription = typeof subscriptions.$inferSelect;

/** How often the address is asked in this round, this time included; null when it is not to be asked now. */
function countAsked(known: Subscription | undefined, now: number): number | null {
  if (!known || known.confirmExpiresAt === null) return 1;
  const sinceLast = now - (known.confirmExpiresAt - linkLifetime);
  // One that lies ahead comes from a clock that was set back since.
  if (sinceLast >= pauseAfterMost || sinceLast < -pauseBetween) return 1;
  return known.asked < mostAsked && sinceLast >= pauseBetween ? known.asked + 1 : null;
}

/** What a confirmation mail's link is worth; `used` by somebody who is on the list since. */
export type ConfirmationLink = 'open' | 'used' | 'dead';

/** Looking at a link does not use it up. */
export function findConfirmationLink(
  { db, clock }: { db: DatabaseOrTransaction; clock: Deps['clock'] },
  token: string,
): ConfirmationLink {
  const subscription = db
    .select({ state: subscriptions.state, expiresAt: subscriptions.confirmExpiresAt })
    .from(subscriptions)
    .where(eq(subscriptions.confirmTokenHash, hashToken(token)))
    .get();
  if (subscription?.state === 'confirmed') return 'used';
  const left = (subscription?.expiresAt ?? 0) - clock.now();
  // One that has longer left comes from a clock that was set back since.
  const isOpen = subscription?.state === 'pending' && left > 0 && left <= 2 * linkLifetime;
  return isOpen ? 'open' : 'dead';
}

/**
 * Puts the address on the list that the link was mailed to, and welcomes it, in one commit.
 * Of several uses at once one does it. Says whether the address is on the list now: a second
 * press on the button is no mistake.
 */
export async function confirmSubscription(
  { db, clock, outbox, settings }: Deps,
  token: string,
): Promise<boolean> {
  const isOnList = await writeTransaction(db, (tx) => {
    const now = clock.now();
    const link = findConfirmationLink({ db: tx, clock }, token);
    if (link !== 'open') return link === 'used';
    const subscription = tx
      .update(subscriptions)
      .set({ state: 'confirmed', confirmedAt: now })
      .where(eq(subscriptions.confirmTokenHash, hashToken(token)))
      .returning()
      .get();
    const { email, unsubscribeToken } = subscription;
    if (unsubscribeToken === null)
      throw new Error(`subscription ${subscription.id} has no way out`);
    enqueueMail(tx, now, welcomeMail(email, settings.publicUrl, unsubscribeToken));
    return true;
  });
  outbox.wake();
  return isOnList;
}

const hasUnsubscribeToken = (token: string): SQL => eq(subscriptions.unsubscribeToken, token);

/** Whether the link is one of ours, whatever became of the subscription. */
export async function isUnsubscribeLink({ db }: Deps, token: string): Promise<boolean> {
  const found = await db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(hasUnsubscribeToken(token));
  return found.length > 0;
}

/** Takes the address off the list that the link was mailed to; a second time changes nothing. Says whether the link is ours. */
export async function unsubscribe(deps: Deps, token: string): Promise<boolean> {
  const { db, clock } = deps;
  await writeTransaction(db, (tx) =>
    tx
      .update(subscriptions)
      .set({ state: 'unsubscribed', unsubscribedAt: clock.now() })
      .where(and(hasUnsubscribeToken(token), ne(subscriptions.state, 'unsubscribed')))
      .run(),
  );
  return isUnsubscribeLink(deps, token);
}

/** Forgets the addresses that nobody confirmed in time. */
export async function deleteUnconfirmed({ db, clock }: Deps): Promise<void> {
  const isOverdue = and(
    eq(subscriptions.state, 'pending'),
    lt(subscriptions.confirmExpiresAt, clock.now() - unconfirmedLifetime + linkLifetime),
  );
  await deleteInBatches(db, subscriptions, isOverdue);
}
