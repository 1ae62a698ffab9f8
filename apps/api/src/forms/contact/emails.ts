import type { ContactMessage } from '@app/contract/forms/contact';
import { contactForm } from '@app/site/forms/contact';
import { oneLine } from '../../email/clean-text.ts';
import type { EmailOf } from '../../email/template.ts';
import type { templates } from './email-templates.tsx';

type ContactEmail = EmailOf<typeof templates>;

/** To the company. A reply goes to the visitor. */
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

/** To the visitor, without links: the address is not confirmed, and could receive spam. */
export const contactReceipt = ({ name, email, message }: ContactMessage): ContactEmail => ({
  kind: 'contact-receipt',
  to: email,
  subject: 'We have your message',
  // RFC 3834 §5.
  headers: { 'Auto-Submitted': 'auto-replied' },
  props: { name: withoutLinks(oneLine(name)), message: withoutLinks(message) },
});

/** Also www.example.com and addresses, which email clients turn into links. */
const link = /\/\/|@|\.\p{L}{2}/u;

const withoutLinks = (text: string): string =>
  text.replace(/\S+/g, (word) => (link.test(word) ? '[link]' : word));
