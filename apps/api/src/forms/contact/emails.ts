import type { ContactMessage } from '@app/contract/forms/contact';
import { contactForm } from '@app/site/forms/contact';
import { oneLine } from '../../email/clean-text.ts';
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

/** Sent to the visitor, without links, because others can use the form to send them spam. */
export const contactReceipt = ({ name, email, message }: ContactMessage): ContactEmail => ({
  kind: 'contact-receipt',
  to: email,
  subject: 'We have your message',
  // RFC 3834 §5.
  headers: { 'Auto-Submitted': 'auto-replied' },
  props: { name: withoutLinks(oneLine(name)), message: withoutLinks(message) },
});

/** Also matches www.example.com and email addresses, which email clients turn into links. */
const link = /\/\/|@|\.\p{L}{2}/u;

const withoutLinks = (text: string): string =>
  text.replace(/\S+/g, (word) => (link.test(word) ? '[link]' : word));
