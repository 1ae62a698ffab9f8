import type { ContactMessage } from '@app/contract/contact';
import { writeLetter } from '../mail/letter.ts';
import type { NewMail } from '../mail/outbox.ts';

/** To the company: who wrote, and what. Answering it answers the visitor. */
export function contactNotice(message: ContactMessage, to: string): NewMail {
  const { name, email, phone, company, service } = message;
  const facts = [
    `Name: ${name}`,
    `Email: ${email}`,
    ...(phone ? [`Phone: ${phone}`] : []),
    ...(company ? [`Company: ${company}`] : []),
    `About: ${service}`,
  ];
  return {
    kind: 'contact-notice',
    to,
    replyTo: email,
    subject: `Message from ${name}`,
    ...writeLetter({
      paragraphs: [facts.join('\n'), message.message],
      note: `Answer this mail to write to ${name}.`,
    }),
  };
}
