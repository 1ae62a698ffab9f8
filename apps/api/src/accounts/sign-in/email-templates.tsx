import { company } from '@app/site/company';
import * as v from 'valibot';
import { ActionButton, Facts, Note, Paragraph } from '../../email/components.tsx';
import { Layout } from '../../email/Layout.tsx';
import type { NewEmail } from '../../email/outbox.ts';
import { ann, sampleToken } from '../../email/samples.ts';
import { template } from '../../email/template.ts';
import * as emails from './emails.ts';

const { name } = company;

const inHours = (hours: number): string => (hours === 1 ? 'one hour' : `${hours} hours`);

const Confirmation = ({ to, link }: { to: string; link: string }) => (
  <Layout
    preview="One click, and your account is ready. The link works for 24 hours."
    heading="Confirm your email address"
    reason={`You received this email because someone signed up at ${name} with ${to}.`}
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

const AlreadyRegistered = ({ to, link }: { to: string; link: string }) => (
  <Layout
    preview="You can sign in right away."
    heading="You already have an account"
    reason={`You received this email because someone signed up at ${name} with ${to}.`}
  >
    <Paragraph>
      {`Someone, probably you, tried to create an account at ${name} with this email address, but it already has one.`}
    </Paragraph>
    <Paragraph>You can sign in right away.</Paragraph>
    <ActionButton href={link}>Sign in</ActionButton>
    <Note>If this wasn't you, ignore this email. Nothing was changed.</Note>
  </Layout>
);

const SignUpAgain = ({ to, link }: { to: string; link: string }) => (
  <Layout
    preview="There was more than one sign-up with this address."
    heading="Please sign up again"
    reason={`You received this email because someone asked for another link to confirm ${to}.`}
  >
    <Paragraph>
      {`There was more than one sign-up at ${name} with this email address, each with its own password. We can't tell which one is yours.`}
    </Paragraph>
    <Paragraph>
      Use the link from the email that belongs to your sign-up, or sign up again and use the new
      link.
    </Paragraph>
    <ActionButton href={link}>Sign up</ActionButton>
    <Note>
      If this wasn't you, ignore this email. Without your confirmation, nobody can use the account.
    </Note>
  </Layout>
);

interface TimedLink {
  to: string;
  link: string;
  hours: number;
}

const PasswordReset = ({ to, link, hours }: TimedLink) => (
  <Layout
    preview={`The link works once, for ${inHours(hours)}.`}
    heading="Choose a new password"
    reason={`You received this email because someone asked for a new password for ${to}.`}
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

const EmailChange = ({ to, link, hours }: TimedLink) => (
  <Layout
    preview={`Your old address stays until you confirm the new one. The link works for ${inHours(hours)}.`}
    heading="Confirm your new email address"
    reason={`You received this email because someone entered ${to} as the new address of an account.`}
  >
    <Paragraph>
      {`Someone, probably you, wants to use this email address for an account at ${name}.`}
    </Paragraph>
    <Paragraph>
      {`Click the button to confirm that it is yours. The link works for ${inHours(hours)}. Until then, the account keeps its old address.`}
    </Paragraph>
    <ActionButton href={link}>Confirm new address</ActionButton>
    <Note>If this wasn't you, ignore this email. Nothing changes without your confirmation.</Note>
  </Layout>
);

const EmailChanged = ({ to, newEmail }: { to: string; newEmail: string }) => (
  <Layout
    preview="If this was you, there is nothing to do. If not, tell us right away."
    heading="Your email address was changed"
    reason={`You received this email because ${to} was the address of your account until now.`}
  >
    <Paragraph>
      {`Your account at ${name} has a new email address. Use it to sign in from now on.`}
    </Paragraph>
    <Facts
      facts={[
        { label: 'Before', value: to },
        { label: 'Now', value: newEmail },
      ]}
    />
    <Note>
      {`If this wasn't you, reply to this email or write to ${company.mailboxes.hello} right away, and we'll look into it.`}
    </Note>
  </Layout>
);

const link = { link: v.string() };
const timedLink = { link: v.string(), hours: v.number() };

export const templates = {
  confirmation: template(link, Confirmation),
  'already-registered': template(link, AlreadyRegistered),
  'sign-up-again': template(link, SignUpAgain),
  'password-reset': template(timedLink, PasswordReset),
  'email-change': template(timedLink, EmailChange),
  'email-changed': template({ newEmail: v.string() }, EmailChanged),
};

export const emailSamples = (publicUrl: string): NewEmail[] => [
  emails.confirmationEmail(ann, publicUrl, sampleToken),
  emails.alreadyRegisteredEmail(ann, publicUrl),
  emails.signUpAgainEmail(ann, publicUrl),
  emails.passwordResetEmail(ann, `${publicUrl}/auth/reset?token=${sampleToken}`, 1),
  emails.emailChangeEmail(ann, `${publicUrl}/auth/change-email?token=${sampleToken}`, 24),
  emails.emailChangedEmail(ann, 'ann@new-home.example'),
];
