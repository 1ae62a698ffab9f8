import { type ContactMessage, contactMessage } from '@app/contract/contact';
import { insertRow } from '@app/db/insert-row';
import { contactSubmissions } from '@app/db/schema/contact';
import { eq, isNotNull } from 'drizzle-orm';
import { createRateLimit } from '../http/rate-limits.ts';
import type { Form, FormDeps } from '../submissions/form.ts';
import { contactNotice, contactReceipt } from './emails.ts';

/** The contact form: the company is told what a visitor wrote, the visitor that it arrived. */
export function createContactForm({ db, settings }: FormDeps): Form<ContactMessage> {
  // Anybody can type a stranger's address: no more of these reach it, whoever asks for them.
  const receipts = createRateLimit(db, {
    name: 'contact-receipts',
    most: 3,
    seconds: 24 * 60 * 60,
  });
  return {
    name: 'contact',
    page: '/contact',
    schema: contactMessage,
    insert: (message, facts) => insertRow(db, contactSubmissions, { ...message, ...facts }),
    async mails(message) {
      const notice = contactNotice(message, settings.mailTo);
      const { allowed } = await receipts.take(message.email);
      return allowed ? [notice, contactReceipt(message)] : [notice];
    },
    async find(id) {
      const rows = await db.select().from(contactSubmissions).where(eq(contactSubmissions.id, id));
      return rows[0];
    },
    listQuarantined: async () =>
      db.select().from(contactSubmissions).where(isNotNull(contactSubmissions.quarantinedFor)),
    release: (id) =>
      db
        .update(contactSubmissions)
        .set({ quarantinedFor: null })
        .where(eq(contactSubmissions.id, id)),
  };
}
