import { company } from '@app/site/company';
import * as v from 'valibot';
import { ActionButton, Facts, Note, NoteLink, Paragraph } from '../../email/components.tsx';
import { inHours } from '../../email/in-hours.ts';
import { Layout } from '../../email/Layout.tsx';
import type { NewEmail } from '../../email/outbox.ts';
import { ann, sampleToken } from '../../email/samples.ts';
import { template } from '../../email/template.ts';
import * as emails from './emails.ts';

const { name, mailboxes } = company;

const PasswordChanged = ({ to, link }: { to: string; link: string }) => (
  <Layout
    preview="If this was you, there is nothing to do. If not, choose a new password now."
    heading="Your password was changed"
    reason={`You received this email because the password of the account with ${to} was changed.`}
  >
    <Paragraph>
      {`Your account at ${name} has a new password. You are signed out everywhere except where you changed it.`}
    </Paragraph>
    <Note>
      If this wasn't you, reply to this email, and we'll look into it. First, log out everyone else:{' '}
      <NoteLink href={link}>Choose a new password</NoteLink>
    </Note>
  </Layout>
);

interface EmailChangeRequestedProps {
  to: string;
  newEmail: string;
  cancelLink: string;
  hours: number;
}

const EmailChangeRequested = ({ to, newEmail, cancelLink, hours }: EmailChangeRequestedProps) => (
  <Layout
    preview="If this was you, there is nothing to do here. If not, cancel the change."
    heading="A new email address was requested"
    reason={`You received this email because ${to} is the address of your account.`}
  >
    <Paragraph>
      {`Someone who is signed in to your account at ${name} wants to use another email address for it. It changes when the link that we sent to that address is used, within ${inHours(hours)}.`}
    </Paragraph>
    <Paragraph>
      If this wasn't you, cancel the change. This also signs out the browser that requested it.
    </Paragraph>
    <Facts
      facts={[
        { label: 'Now', value: to },
        { label: 'New', value: newEmail },
      ]}
    />
    <ActionButton href={cancelLink}>Cancel the change</ActionButton>
    <Note>If this was you, ignore this email.</Note>
  </Layout>
);

interface EmailChangeProps {
  link: string;
  hours: number;
}

const EmailChange = ({ link, hours }: EmailChangeProps) => (
  <Layout
    preview={`Your old address stays until you confirm the new one. The link works for ${inHours(hours)}.`}
    heading="Confirm your new email address"
    reason="You received this email because someone entered this address as the new one of an account."
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
      {`If this wasn't you, reply to this email or write to ${mailboxes.hello} right away, and we'll look into it.`}
    </Note>
  </Layout>
);

const AddressTaken = ({ link }: { link: string }) => (
  <Layout
    preview="Nothing was changed."
    heading="This address already has an account"
    reason="You received this email because someone entered this address as the new one of an account."
  >
    <Paragraph>
      {`Someone, probably you, wants to use this email address for another account at ${name}. It already has one, so nothing was changed.`}
    </Paragraph>
    <Paragraph>
      Each address has one account. To use it for the other one, sign in to this one first, and
      change its address or delete it.
    </Paragraph>
    <ActionButton href={link}>Sign in</ActionButton>
    <Note>If this wasn't you, ignore this email. Nobody was told that you have an account.</Note>
  </Layout>
);

const AccountDeleted = ({ to, posts }: { to: string; posts: 'keep' | 'delete' }) => (
  <Layout
    preview="What was deleted, and what stays."
    heading="Your account was deleted"
    reason={`You received this email because the account with ${to} was deleted.`}
  >
    <Paragraph>
      {posts === 'delete'
        ? 'Your profile, your pictures, your drafts and all your posts are deleted, and nobody can sign in anymore.'
        : 'Your profile, your pictures and your drafts are deleted, and nobody can sign in anymore. Your published posts stay on the blog, without your name.'}
    </Paragraph>
    <Paragraph>
      A newsletter subscription is separate from the account and stays, if you have one. Each
      newsletter has a link to unsubscribe.
    </Paragraph>
    <Paragraph>
      {`We also keep the messages you sent us. Write to ${mailboxes.privacy} if you want them deleted.`}
    </Paragraph>
    <Paragraph>Thank you for being here.</Paragraph>
    <Note>If this wasn't you, reply to this email right away, and we'll look into it.</Note>
  </Layout>
);

const link = { link: v.string() };

export const templates = {
  'password-changed': template(link, PasswordChanged),
  'email-change-requested': template(
    { newEmail: v.string(), cancelLink: v.string(), hours: v.number() },
    EmailChangeRequested,
  ),
  'email-change': template({ ...link, hours: v.number() }, EmailChange),
  'email-changed': template({ newEmail: v.string() }, EmailChanged),
  'address-taken': template(link, AddressTaken),
  'account-deleted': template({ posts: v.picklist(['keep', 'delete']) }, AccountDeleted),
};

export const emailSamples = (publicUrl: string): NewEmail[] => [
  emails.passwordChangedEmail(ann, publicUrl),
  emails.emailChangeRequestedEmail(
    ann,
    {
      newEmail: 'ann@new-home.example',
      cancelLink: `${publicUrl}/auth/cancel-email-change?token=${sampleToken}`,
    },
    24,
  ),
  emails.emailChangeEmail(ann, `${publicUrl}/auth/change-email?token=${sampleToken}`, 24),
  emails.emailChangedEmail(ann, 'ann@new-home.example'),
  emails.addressTakenEmail(ann, publicUrl),
  emails.accountDeletedEmail(ann, 'keep'),
  emails.accountDeletedEmail(ann, 'delete'),
];
