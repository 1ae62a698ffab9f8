import type { Database } from '@app/db/open';
import { outbox } from '@app/db/schema/email';
import { count, desc, eq } from 'drizzle-orm';
import { drawn } from '../email/letter.ts';
import type { OutgoingMail } from '../email/transport.ts';

const shown = 100;

/** The newest mails of the outbox, in whatever state, and how many there are in all. */
export async function newestMails(db: Database): Promise<{ mails: OutgoingMail[]; all: number }> {
  const mails = await db.select().from(outbox).orderBy(desc(outbox.createdAt)).limit(shown);
  const [total] = await db.select({ mails: count() }).from(outbox);
  return { mails: mails.map(drawn), all: total?.mails ?? 0 };
}

export async function findMail(db: Database, id: string): Promise<OutgoingMail | undefined> {
  const [mail] = await db.select().from(outbox).where(eq(outbox.id, id));
  return mail && drawn(mail);
}
