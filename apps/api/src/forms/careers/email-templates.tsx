import * as v from 'valibot';
import { Facts, Note, Quote } from '../../email/components.tsx';
import { Layout } from '../../email/Layout.tsx';
import { emailLink } from '../../email/links.ts';
import type { NewEmail } from '../../email/outbox.ts';
import { hostile, owner } from '../../email/samples.ts';
import { template } from '../../email/template.ts';
import { careerNotice } from './emails.ts';

interface NoticeProps {
  name: string;
  email: string;
  resume: string | null;
  message: string;
}

const Notice = ({ name, email, resume, message }: NoticeProps) => (
  <Layout
    preview={message}
    heading={`Career inquiry from ${name}`}
    reason="You received this email because inquiries from the careers page are sent to you."
  >
    <Facts
      facts={[
        { label: 'Name', value: name },
        { label: 'Email', value: email, href: emailLink(email) },
        // Not a link, so that the whole URL is visible before anyone opens it.
        ...(resume === null ? [] : [{ label: 'Resume', value: resume }]),
      ]}
    />
    <Quote label="Message">{message}</Quote>
    <Note>{`Reply to this email to write to ${name}.`}</Note>
  </Layout>
);

export const templates = {
  'career-notice': template(
    { name: v.string(), email: v.string(), resume: v.nullable(v.string()), message: v.string() },
    Notice,
  ),
};

export const emailSamples = (): NewEmail[] => [
  careerNotice(
    {
      name: 'Jo Maker',
      email: 'jo@example.com',
      resumeLink: 'https://jo.example/resume',
      message: 'I build voice agents, and I grew up in a heating company.\n\nShall we talk?',
    },
    owner,
  ),
  careerNotice({ ...hostile, resumeLink: `https://jo.example/${'resume-'.repeat(40)}` }, owner),
];
