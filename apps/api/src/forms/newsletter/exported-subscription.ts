import type { Database } from '@app/db/open';
import { newsletterSubscriptions } from '@app/db/schema/forms/newsletter';
import { eq } from 'drizzle-orm';
import { toIso, toIsoOrNull } from '../../clock.ts';

export function exportedSubscription(db: Database, email: string) {
  const subscription = db
    .select()
    .from(newsletterSubscriptions)
    .where(eq(newsletterSubscriptions.email, email))
    .get();
  if (!subscription) return null;
  const { state, createdAt, confirmedAt, unsubscribedAt } = subscription;
  return {
    state,
    createdAt: toIso(createdAt),
    confirmedAt: toIsoOrNull(confirmedAt),
    unsubscribedAt: toIsoOrNull(unsubscribedAt),
  };
}
