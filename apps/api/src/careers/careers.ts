import type { CareerInquiry } from '@app/contract/careers';
import { atomic } from '@app/db/atomic';
import { careerInquiries } from '@app/db/schema/careers';
import type { Deps } from '../deps.ts';
import { insertMail } from '../mail/outbox.ts';
import { newId } from '../tokens.ts';
import { careerNotice } from './emails.ts';

/** Stores what somebody who would like to work here sent, and promises the notice about it, in one commit. */
export async function storeCareerInquiry(
  { db, clock, outbox, settings }: Deps,
  inquiry: CareerInquiry,
): Promise<void> {
  const now = clock.now();
  await atomic(db, [
    db.insert(careerInquiries).values({ ...inquiry, id: newId(), createdAt: now }),
    insertMail(db, now, careerNotice(inquiry, settings.mailTo)),
  ]);
  outbox.wake();
}
