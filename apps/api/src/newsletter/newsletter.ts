import type { NewsletterSubscription } from '@app/contract/newsletter';
import { newsletterSubscriptions } from '@app/db/schema/newsletter';
import type { Deps } from '../deps.ts';
import { newId } from '../tokens.ts';

/** Puts an address on the list. Says whether it was not there before. */
export async function subscribe(
  { db, clock }: Deps,
  { email }: NewsletterSubscription,
): Promise<boolean> {
  const added = await db
    .insert(newsletterSubscriptions)
    .values({ id: newId(), email, createdAt: clock.now() })
    .onConflictDoNothing({ target: newsletterSubscriptions.email })
    .returning({ id: newsletterSubscriptions.id });
  return added.length > 0;
}
