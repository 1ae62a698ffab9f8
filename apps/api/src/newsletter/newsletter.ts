import type { NewsletterSubscription } from '@app/contract/newsletter';
import { atomic } from '@app/db/atomic';
import { newsletterSubscriptions as subscriptions } from '@app/db/schema/newsletter';
import { and, eq, exists, gt, lt, lte, ne, type SQL, sql } from 'drizzle-orm';
import type { Deps } from '../deps.ts';
import { insertMailIf } from '../mail/outbox.ts';
import { hashToken, newId, newToken } from '../tokens.ts';
import { newsletterConfirmationMail, welcomeMail } from './emails.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** How long the link of a confirmation mail works. */
const linkLifetime = 2 * day;

/**
 * How often one address is asked to confirm, whoever types it into a form: three times, a
 * minute apart at least, and then not until a day after the last. So in any 24 hours it gets
 * three mails at most.
 */
const mostAsked = 3;
const pauseBetween = minute;
const pauseAfterMost = day;

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
  const now = clock.now();
  const token = newToken();
  const confirmTokenHash = hashToken(token);
  const question = {
    state: 'pending' as const,
    confirmTokenHash,
    confirmExpiresAt: now + linkLifetime,
  };
  const isNewRound = wasLastAsked(now - pauseAfterMost);
  const isWithinLimits = sql`(${isNewRound} or (${lt(subscriptions.asked, mostAsked)} and ${wasLastAsked(now - pauseBetween)}))`;
  const [, , found] = await atomic(db, [
    db
      .insert(subscriptions)
      .values({
        ...question,
        id: newId(),
        email,
        unsubscribeToken: newToken(),
        asked: 1,
        askedSince: now,
        createdAt: now,
      })
      .onConflictDoUpdate({
        target: subscriptions.email,
        set: {
          ...question,
          // That of earlier newsletters goes on working.
          unsubscribeToken: sql`coalesce(${subscriptions.unsubscribeToken}, ${newToken()})`,
          asked: sql`case when ${isNewRound} then 1 else ${subscriptions.asked} + 1 end`,
          askedSince: sql`case when ${isNewRound} then ${now} else ${subscriptions.askedSince} end`,
        },
        setWhere: sql`${ne(subscriptions.state, 'confirmed')} and ${isWithinLimits}`,
      }),
    insertMailIf(
      db,
      now,
      newsletterConfirmationMail(email, settings.publicUrl, token),
      exists(
        db
          .select({ id: subscriptions.id })
          .from(subscriptions)
          .where(eq(subscriptions.confirmTokenHash, confirmTokenHash)),
      ),
    ),
    db
      .select({ state: subscriptions.state })
      .from(subscriptions)
      .where(eq(subscriptions.email, email)),
  ]);
  outbox.wake();
  return found[0]?.state === 'confirmed' ? 'already_subscribed' : 'asked';
}

/** Whether the address was last asked at that time or before, or never. */
const wasLastAsked = (time: number): SQL =>
  sql`coalesce(${lte(subscriptions.confirmExpiresAt, time + linkLifetime)}, true)`;

/** What a confirmation mail's link is worth; `used` by somebody who is on the list since. */
export type ConfirmationLink = 'open' | 'used' | 'dead';

/** Looking at a link does not use it up. */
export async function findConfirmationLink(
  { db, clock }: Deps,
  token: string,
): Promise<ConfirmationLink> {
  const [subscription] = await db
    .select({ state: subscriptions.state, expiresAt: subscriptions.confirmExpiresAt })
    .from(subscriptions)
    .where(eq(subscriptions.confirmTokenHash, hashToken(token)));
  if (subscription?.state === 'confirmed') return 'used';
  const isOpen = subscription?.state === 'pending' && (subscription.expiresAt ?? 0) > clock.now();
  return isOpen ? 'open' : 'dead';
}

/**
 * Puts the address on the list that the link was mailed to, and welcomes it, in one commit.
 * Of several uses at once one does it. Says whether the address is on the list now: a second
 * press on the button is no mistake.
 */
export async function confirmSubscription(deps: Deps, token: string): Promise<boolean> {
  const { db, clock, outbox, settings } = deps;
  const confirmTokenHash = hashToken(token);
  const [subscription] = await db
    .select({ email: subscriptions.email, unsubscribeToken: subscriptions.unsubscribeToken })
    .from(subscriptions)
    .where(eq(subscriptions.confirmTokenHash, confirmTokenHash));
  if (!subscription?.unsubscribeToken) return false;

  const now = clock.now();
  const isOpen = and(
    eq(subscriptions.confirmTokenHash, confirmTokenHash),
    eq(subscriptions.state, 'pending'),
    gt(subscriptions.confirmExpiresAt, now),
  );
  const { email, unsubscribeToken } = subscription;
  await atomic(db, [
    insertMailIf(
      db,
      now,
      welcomeMail(email, settings.publicUrl, unsubscribeToken),
      exists(db.select({ id: subscriptions.id }).from(subscriptions).where(isOpen)),
    ),
    db.update(subscriptions).set({ state: 'confirmed', confirmedAt: now }).where(isOpen),
  ]);
  outbox.wake();
  return (await findConfirmationLink(deps, token)) === 'used';
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
  await db
    .update(subscriptions)
    .set({ state: 'unsubscribed', unsubscribedAt: clock.now() })
    .where(and(hasUnsubscribeToken(token), ne(subscriptions.state, 'unsubscribed')));
  return isUnsubscribeLink(deps, token);
}

/** Forgets the addresses that nobody confirmed in time. */
export async function deleteUnconfirmed({ db, clock }: Deps): Promise<void> {
  await db
    .delete(subscriptions)
    .where(
      and(
        eq(subscriptions.state, 'pending'),
        lt(subscriptions.confirmExpiresAt, clock.now() - unconfirmedLifetime + linkLifetime),
      ),
    );
}
