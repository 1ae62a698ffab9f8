import type { ContactMessage } from '@app/contract/forms/contact';
import { messages } from '@app/contract/messages';
import { company as ours } from '@app/site/company';
import { offers } from '@app/site/offers';
import { mailLink, phoneLink } from '../../email/links.ts';
import type { NewMail } from '../../email/outbox.ts';
import { oneLine } from '../../email/plain-text.ts';

/** To the company: who wrote, and what. Answering it answers the visitor. */
export function contactNotice(message: ContactMessage, to: string): NewMail {
  const { email, phone, company, service } = message;
  const name = oneLine(message.name);
  const about = messages.contact.services[service];
  return {
    kind: 'contact-notice',
    to,
    replyTo: email,
    subject: `Message from ${name}`,
    letter: {
      preheader: message.message,
      heading: `Message from ${name}`,
      paragraphs: [],
      facts: [
        { label: 'Name', value: name },
        { label: 'Email', value: email, href: mailLink(email) },
        ...(phone ? [{ label: 'Phone', value: phone, ...phoneLink(phone) }] : []),
        ...(company ? [{ label: 'Company', value: company }] : []),
        { label: 'About', value: about },
      ],
      quote: { label: 'Message', text: message.message },
      note: `Answer this mail to write to ${name}.`,
      reason: 'You get this mail because messages from the contact page are sent to you.',
    },
  };
}

/**
 * To the visitor: that their message is here, and when it is answered. Nobody knows yet whether
 * the address is theirs, so what they wrote is repeated without its links: the receipt must not
 * carry anybody's advertisement to a stranger.
 */
export function contactReceipt({ name, email, message }: ContactMessage): NewMail {
  return {
    kind: 'contact-receipt',
    to: email,
    subject: 'We have your message',
    // So that nobody's holiday notice answers (RFC 3834 §5).
    headers: { 'Auto-Submitted': 'auto-replied' },
    letter: {
      preheader: `A person reads it, and answers ${offers.emailReply}.`,
      heading: 'We have your message',
      paragraphs: [
        `Hello ${withoutLinks(oneLine(name))},`,
        `Thank you for writing. A person reads it, and answers ${offers.emailReply}.`,
      ],
      quote: { label: 'What you sent', text: withoutLinks(message) },
      note: 'It was not you who wrote this? Then you can ignore this mail: nothing else comes of it.',
      reason: `You get this mail because ${email} was entered on the contact page of ${ours.name}.`,
    },
  };
}

/** Also sites and addresses without http://: mail programs make links of them. */
const link = /\/\/|@|\.\p{L}{2}/u;

const withoutLinks = (text: string): string =>
  text.replace(/\S+/g, (word) => (link.test(word) ? '[link]' : word));
