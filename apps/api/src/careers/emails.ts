import type { CareerInquiry } from '@app/contract/careers';
import { writeLetter } from '../mail/letter.ts';
import type { NewMail } from '../mail/outbox.ts';

/** To the company: who would like to work there. Answering it answers them. */
export function careerNotice(
  { name, email, resumeLink, message }: CareerInquiry,
  to: string,
): NewMail {
  const facts = [
    `Name: ${name}`,
    `Email: ${email}`,
    ...(resumeLink ? [`Resume: ${resumeLink}`] : []),
  ];
  return {
    kind: 'career-notice',
    to,
    replyTo: email,
    subject: `Career inquiry from ${name}`,
    ...writeLetter({
      paragraphs: [facts.join('\n'), message],
      note: `Answer this mail to write to ${name}.`,
    }),
  };
}
