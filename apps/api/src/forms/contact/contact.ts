import { type ContactMessage, contactMessage } from '@app/contract/forms/contact';
import { contactSubmissions } from '@app/db/schema/forms/contact';
import { countEmailRequest } from '../../email/budget.ts';
import type { Form } from '../submit/form.ts';
import { contactNotice, contactReceipt } from './emails.ts';

/** Per mailbox and day. */
const maxReceipts = 3;

export const contactForm: Form<ContactMessage> = {
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
  table: contactSubmissions,
  emails(tx, message, { db, to, now }) {
    const notice = contactNotice(message, to);
    // Limited, because anyone can enter a stranger's address.
    const receipt = { email: message.email, kind: 'contact-receipt', max: maxReceipts };
    return countEmailRequest(tx, receipt, { db, now })
      ? [notice, contactReceipt(message)]
      : [notice];
  },
};
