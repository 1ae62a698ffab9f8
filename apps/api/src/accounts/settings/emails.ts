import type { AccountDeletion } from '@app/contract/accounts/settings';
import { company } from '@app/site/company';
import { automatic } from '../../email/automatic.ts';
import type { EmailOf } from '../../email/template.ts';
import type { templates } from './email-templates.tsx';

type SettingsEmail = EmailOf<typeof templates>;

/** Sent because the owner might not notice a takeover otherwise. */
export const passwordChangedEmail = (to: string, publicUrl: string): SettingsEmail => ({
  kind: 'password-changed',
  to,
  replyTo: company.mailboxes.hello,
  subject: `Your password for ${company.name} was changed`,
  headers: automatic,
  props: { link: `${publicUrl}/auth/forgot` },
});

/** Sent to the current address. @param hours how long the link to cancel works */
export const emailChangeRequestedEmail = (
  to: string,
  { newEmail, cancelLink }: { newEmail: string; cancelLink: string },
  hours: number,
): SettingsEmail => ({
  kind: 'email-change-requested',
  to,
  replyTo: company.mailboxes.hello,
  subject: `Your email address for ${company.name} is about to change`,
  headers: automatic,
  props: { newEmail, cancelLink, hours },
});

/** @param hours how long the link works */
export const emailChangeEmail = (to: string, link: string, hours: number): SettingsEmail => ({
  kind: 'email-change',
  to,
  subject: `Confirm your new email address for ${company.name}`,
  headers: automatic,
  props: { link, hours },
});

/** Sent to the old address, whose owner might not notice a takeover otherwise. */
export const emailChangedEmail = (to: string, newEmail: string): SettingsEmail => ({
  kind: 'email-changed',
  to,
  replyTo: company.mailboxes.hello,
  subject: `Your email address for ${company.name} was changed`,
  headers: automatic,
  props: { newEmail },
});

/** Sent to a new address that already has an account. */
export const addressTakenEmail = (to: string, publicUrl: string): SettingsEmail => ({
  kind: 'address-taken',
  to,
  subject: `You already have an account at ${company.name}`,
  headers: automatic,
  props: { link: `${publicUrl}/auth` },
});

export const accountDeletedEmail = (
  to: string,
  posts: AccountDeletion['posts'],
): SettingsEmail => ({
  kind: 'account-deleted',
  to,
  replyTo: company.mailboxes.hello,
  subject: `Your account at ${company.name} was deleted`,
  headers: automatic,
  props: { posts },
});
