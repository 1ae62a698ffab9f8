import { company } from '@app/site/company';
import { writeLetter } from '../mail/letter.ts';
import type { NewMail } from '../mail/outbox.ts';

export const confirmationMail = (to: string, publicUrl: string, token: string): NewMail => ({
  kind: 'confirmation',
  to,
  subject: `Confirm your email address for ${company.name}`,
  ...writeLetter({
    paragraphs: [
      `Somebody, most likely you, made an account at ${company.name} with this address.`,
      'Press the button to confirm that the address is yours. The link works for 24 hours.',
    ],
    action: { label: 'Confirm email address', url: `${publicUrl}/auth/confirm?token=${token}` },
    note: 'It was not you? Then do nothing: without your confirmation the account stays closed.',
  }),
});

/** Instead of a confirmation, when the address has an account: the answer on the screen says neither. */
export const alreadyRegisteredMail = (to: string, publicUrl: string): NewMail => ({
  kind: 'already-registered',
  to,
  subject: `You already have an account at ${company.name}`,
  ...writeLetter({
    paragraphs: [
      `Somebody, most likely you, tried to make an account at ${company.name} with this address. It has one already.`,
    ],
    action: { label: 'Sign in', url: `${publicUrl}/auth` },
    note: 'It was not you? Then do nothing: nothing was changed.',
  }),
});

/** Instead of another confirmation, when it is not clear whose sign-up it would confirm. */
export const signUpAgainMail = (to: string, publicUrl: string): NewMail => ({
  kind: 'sign-up-again',
  to,
  subject: `Please sign up at ${company.name} once more`,
  ...writeLetter({
    paragraphs: [
      `There was more than one sign-up at ${company.name} with this address, each with its own password. We cannot tell which one is yours.`,
      'Use the link of the mail that belongs to your sign-up, or sign up once more and use the link that comes then.',
    ],
    action: { label: 'Sign up', url: `${publicUrl}/auth` },
    note: 'It was not you? Then do nothing: without your confirmation the account stays closed.',
  }),
});
