import type { ContactMessage } from '@app/contract/contact';
import { atomic } from '@app/db/atomic';
import { contactSubmissions } from '@app/db/schema/contact';
import type { Deps } from '../deps.ts';
import { insertMail } from '../mail/outbox.ts';
import { newId } from '../tokens.ts';
import { contactNotice } from './emails.ts';

/** Stores what a visitor sent, and promises the notice about it, in one commit. */
export async function storeContactMessage(
  { db, clock, outbox, settings }: Deps,
  message: ContactMessage,
): Promise<void> {
  const now = clock.now();
  await atomic(db, [
    db.insert(contactSubmissions).values({ ...message, id: newId(), createdAt: now }),
    insertMail(db, now, contactNotice(message, settings.mailTo)),
  ]);
  outbox.wake();
}
