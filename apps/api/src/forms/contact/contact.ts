import { type ContactMessage, contactMessage } from '@app/contract/forms/contact';
import { placeholders } from '@app/db/placeholders';
import { contactSubmissions } from '@app/db/schema/forms/contact';
import { eq, isNotNull } from 'drizzle-orm';
import { countEmailRequest } from '../../email/budget.ts';
import type { Form, FormDeps } from '../submit/form.ts';
import { contactNotice, contactReceipt } from './emails.ts';

/** Per mailbox and day. */
const maxReceipts = 3;

export function createContactForm({ db, settings }: FormDeps): Form<ContactMessage> {
  const insert = db.insert(contactSubmissions).values(placeholders(contactSubmissions)).prepare();
  return {
    name: 'contact',
    page: '/contact',
    schema: contactMessage,
    example: {
      name: 'Vera',
      email: 'vera@example.com',
      phone: '',
      company: '',
      message: 'Hello',
      service: 'demo',
    },
    insert: (_tx, message, facts) => insert.run({ ...message, ...facts }),
    mails(tx, message, now) {
      const notice = contactNotice(message, settings.mailTo);
      // Anyone can enter a stranger's address.
      const receipt = { email: message.email, kind: 'contact-receipt', max: maxReceipts };
      return countEmailRequest(tx, receipt, now) ? [notice, contactReceipt(message)] : [notice];
    },
    find: (tx, id) =>
      tx.select().from(contactSubmissions).where(eq(contactSubmissions.id, id)).get(),
    listQuarantined: () =>
      db.select().from(contactSubmissions).where(isNotNull(contactSubmissions.spamSignals)).all(),
    release(tx, id) {
      tx.update(contactSubmissions)
        .set({ spamSignals: null })
        .where(eq(contactSubmissions.id, id))
        .run();
    },
  };
}
