import { oneLine } from '@app/contract/clean-text';
import type { ContactMessage } from '@app/contract/forms/contact';
import { contactForm } from '@app/site/forms/contact';
import type { EmailOf } from '../../email/template.ts';
import type { templates } from './email-templates.tsx';

type ContactEmail = EmailOf<typeof templates>;

/** Sent to the company. Replies go to the visitor. */
export function contactNotice(message: ContactMessage, to: string): ContactEmail {
  const { email, phone, company, service } = message;
  const name = oneLine(message.name);
  return {
    kind: 'contact-notice',
    to,
    replyTo: email,
    subject: `Message from ${name}`,
    props: {
      name,
      email,
      phone: phone || null,
      company: company || null,
      about: contactForm.services[service],
      message: message.message,
    },
  };
}

/**
 * Sent to the visitor. Quotes nothing of the message, because anyone can enter another person's
 * address: we would send that person whatever a stranger wrote.
 */
export const contactReceipt = ({ name, email }: ContactMessage): ContactEmail => ({
  kind: 'contact-receipt',
  to: email,
  subject: 'We have your message',
  // RFC 3834 §5.
  headers: { 'Auto-Submitted': 'auto-replied' },
  props: { name },
});
