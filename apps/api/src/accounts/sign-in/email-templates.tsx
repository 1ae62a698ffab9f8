import { company } from '@app/site/company';
import * as v from 'valibot';
import { ActionButton, Note, Paragraph } from '../../email/components.tsx';
import { inHours } from '../../email/in-hours.ts';
import { Layout } from '../../email/Layout.tsx';
import type { NewEmail } from '../../email/outbox.ts';
import { ann, sampleToken } from '../../email/samples.ts';
import { template } from '../../email/template.ts';
import * as emails from './emails.ts';

const { name } = company;

const Confirmation = ({ link }: { link: string }) => (
  <Layout
    preview="One click, and your account is ready. The link works for 24 hours."
    heading="Confirm your email address"
    reason={`You received this email because someone signed up at ${name} with this address.`}
  >
    <Paragraph>
      {`Someone, probably you, created an account at ${name} with this email address.`}
    </Paragraph>
    <Paragraph>
      Click the button to confirm that the address is yours. The link works for 24 hours.
    </Paragraph>
    <ActionButton href={link}>Confirm email address</ActionButton>
    <Note>
      If this wasn't you, ignore this email. Without your confirmation, nobody can use the account.
    </Note>
  </Layout>
);

const AlreadyRegistered = ({ link }: { link: string }) => (
  <Layout
    preview="You can sign in right away."
    heading="You already have an account"
    reason={`You received this email because someone signed up at ${name} with this address.`}
  >
    <Paragraph>
      {`Someone, probably you, tried to create an account at ${name} with this email address, but it already has one.`}
    </Paragraph>
    <Paragraph>You can sign in right away.</Paragraph>
    <ActionButton href={link}>Sign in</ActionButton>
    <Note>If this wasn't you, ignore this email. Nothing was changed.</Note>
  </Layout>
);

interface PasswordResetProps {
  link: string;
  hours: number;
}

const PasswordReset = ({ link, hours }: PasswordResetProps) => (
  <Layout
    preview={`The link works once, for ${inHours(hours)}.`}
    heading="Choose a new password"
    reason="You received this email because someone asked for a new password for the account with this address."
  >
    <Paragraph>
      {`Someone, probably you, asked for a new password for your account at ${name}.`}
    </Paragraph>
    <Paragraph>
      {`Click the button to choose one. The link works once, for ${inHours(hours)}.`}
    </Paragraph>
    <ActionButton href={link}>Choose a new password</ActionButton>
    <Note>If this wasn't you, ignore this email. Your password stays the same.</Note>
  </Layout>
);

const link = { link: v.string() };

export const templates = {
  confirmation: template(link, Confirmation),
  'already-registered': template(link, AlreadyRegistered),
  'password-reset': template({ ...link, hours: v.number() }, PasswordReset),
};

export const emailSamples = (publicUrl: string): NewEmail[] => [
  emails.confirmationEmail(ann, publicUrl, sampleToken),
  emails.alreadyRegisteredEmail(ann, publicUrl),
  emails.passwordResetEmail(ann, `${publicUrl}/auth/reset?token=${sampleToken}`, 1),
];
