import { company } from '@app/site/company';
import { automatic } from '../../email/automatic.ts';
import type { EmailOf } from '../../email/template.ts';
import type { templates } from './email-templates.tsx';

type SignInEmail = EmailOf<typeof templates>;

export const confirmationEmail = (to: string, publicUrl: string, token: string): SignInEmail => ({
  kind: 'confirmation',
  to,
  subject: `Confirm your email address for ${company.name}`,
  headers: automatic,
  props: { link: `${publicUrl}/auth/confirm?token=${token}` },
});

/** Sent instead of a confirmation if the address already has an account. */
export const alreadyRegisteredEmail = (to: string, publicUrl: string): SignInEmail => ({
  kind: 'already-registered',
  to,
  subject: `You already have an account at ${company.name}`,
  headers: automatic,
  props: { link: `${publicUrl}/auth` },
});

/** @param hours how long the link works */
export const passwordResetEmail = (to: string, link: string, hours: number): SignInEmail => ({
  kind: 'password-reset',
  to,
  subject: `Choose a new password for ${company.name}`,
  headers: automatic,
  props: { link, hours },
});
