import type { CareerInquiry } from '@app/contract/forms/careers';
import { mailLink } from '../../email/links.ts';
import type { NewMail } from '../../email/outbox.ts';
import { oneLine } from '../../email/plain-text.ts';

/** To the company: who would like to work there. Answering it answers them. */
export function careerNotice(inquiry: CareerInquiry, to: string): NewMail {
  const { email, resumeLink, message } = inquiry;
  const name = oneLine(inquiry.name);
  return {
    kind: 'career-notice',
    to,
    replyTo: email,
    subject: `Career inquiry from ${name}`,
    letter: {
      preheader: message,
      heading: `Career inquiry from ${name}`,
      paragraphs: [],
      facts: [
        { label: 'Name', value: name },
        { label: 'Email', value: email, href: mailLink(email) },
        // Not a link of ours: whoever opens a stranger's page should see its whole address first.
        ...(resumeLink ? [{ label: 'Resume', value: resumeLink }] : []),
      ],
      quote: { label: 'Message', text: message },
      note: `Answer this mail to write to ${name}.`,
      reason: 'You get this mail because inquiries from the careers page are sent to you.',
    },
  };
}
