import type { Database } from '@app/db/open';
import { outbox } from '@app/db/schema/email';
import { count, desc, eq } from 'drizzle-orm';
import type { OutboxMail } from '../email/transport.ts';

const maxShown = 100;

export function newestMails(db: Database): { mails: OutboxMail[]; all: number } {
  const mails = db.select().from(outbox).orderBy(desc(outbox.createdAt)).limit(maxShown).all();
  const total = db.select({ mails: count() }).from(outbox).get();
  return { mails, all: total?.mails ?? 0 };
}

export const findMail = (db: Database, id: string): OutboxMail | undefined =>
  db.select().from(outbox).where(eq(outbox.id, id)).get();
