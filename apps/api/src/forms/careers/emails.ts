import { oneLine } from '@app/contract/clean-text';
import type { CareerInquiry } from '@app/contract/forms/careers';
import type { EmailOf } from '../../email/template.ts';
import type { templates } from './email-templates.tsx';

/** Sent to the company. Replies go to the applicant. */
export function careerNotice(inquiry: CareerInquiry, to: string): EmailOf<typeof templates> {
  const { email, resumeLink, message } = inquiry;
  const name = oneLine(inquiry.name);
  return {
    kind: 'career-notice',
    to,
    replyTo: email,
    subject: `Career inquiry from ${name}`,
    props: { name, email, resume: resumeLink || null, message },
  };
}
