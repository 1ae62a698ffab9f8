import { company } from '@app/site/company';
import * as v from 'valibot';
import { Note, NoteLink, Paragraph } from '../../email/components.tsx';
import { Layout } from '../../email/Layout.tsx';
import type { NewEmail } from '../../email/outbox.ts';
import { ann } from '../../email/samples.ts';
import { template } from '../../email/template.ts';
import { googleLinkedEmail } from './emails.ts';

const GoogleLinked = ({ to, link }: { to: string; link: string }) => (
  <Layout
    preview="If this was you, there is nothing to do. If not, tell us right away."
    heading="Google is connected"
    reason={`You received this email because Google was connected to the account with ${to}.`}
  >
    <Paragraph>
      {`From now on you can sign in to ${company.name} with Google as well as with your password.`}
    </Paragraph>
    <Note>
      If this wasn't you, reply to this email right away, and we'll look into it. And protect your
      account: <NoteLink href={link}>Choose a new password</NoteLink>
    </Note>
  </Layout>
);

export const templates = { 'google-linked': template({ link: v.string() }, GoogleLinked) };

export const emailSamples = (publicUrl: string): NewEmail[] => [googleLinkedEmail(ann, publicUrl)];
