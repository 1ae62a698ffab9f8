import { company } from '@app/site/company';
import type { NewMail } from '../../email/outbox.ts';

/** So that nobody's holiday notice answers (RFC 3834 §5). */
const headers = { 'Auto-Submitted': 'auto-generated' };

export const confirmationMail = (to: string, publicUrl: string, token: string): NewMail => ({
  kind: 'confirmation',
  to,
  subject: `Confirm your email address for ${company.name}`,
  headers,
  letter: {
    preheader: 'One press of a button, and your account is open. The link works for 24 hours.',
    heading: 'Is this your address?',
    paragraphs: [
      `Somebody, most likely you, made an account at ${company.name} with this address.`,
      'Press the button to confirm that the address is yours. The link works for 24 hours.',
    ],
    action: { label: 'Confirm email address', url: `${publicUrl}/auth/confirm?token=${token}` },
    note: 'It was not you? Then do nothing: without your confirmation the account stays closed.',
    reason: `You get this mail because somebody signed up at ${company.name} with ${to}.`,
  },
});

/** Instead of a confirmation, when the address has an account: the answer on the screen says neither. */
export const alreadyRegisteredMail = (to: string, publicUrl: string): NewMail => ({
  kind: 'already-registered',
  to,
  subject: `You already have an account at ${company.name}`,
  headers,
  letter: {
    heading: 'You have an account already',
    paragraphs: [
      `Somebody, most likely you, tried to make an account at ${company.name} with this address. It has one already.`,
      'You can sign in right away.',
    ],
    action: { label: 'Sign in', url: `${publicUrl}/auth` },
    note: 'It was not you? Then do nothing: nothing was changed.',
    reason: `You get this mail because somebody signed up at ${company.name} with ${to}.`,
  },
});

/** Instead of another confirmation, when it is not clear whose sign-up it would confirm. */
export const signUpAgainMail = (to: string, publicUrl: string): NewMail => ({
  kind: 'sign-up-again',
  to,
  subject: `Please sign up at ${company.name} once more`,
  headers,
  letter: {
    heading: 'Please sign up once more',
    paragraphs: [
      `There was more than one sign-up at ${company.name} with this address, each with its own password. We cannot tell which one is yours.`,
      'Use the link of the mail that belongs to your sign-up, or sign up once more and use the link that comes then.',
    ],
    action: { label: 'Sign up', url: `${publicUrl}/auth` },
    note: 'It was not you? Then do nothing: without your confirmation the account stays closed.',
    reason: `You get this mail because somebody asked at ${company.name} for another link to confirm ${to}.`,
  },
});

const hoursInWords = (hours: number): string => (hours === 1 ? 'one hour' : `${hours} hours`);

/** @param hours how long the link works */
export const passwordResetMail = (to: string, link: string, hours: number): NewMail => ({
  kind: 'password-reset',
  to,
  subject: `Choose a new password for ${company.name}`,
  headers,
  letter: {
    preheader: `The link works once, and for ${hoursInWords(hours)}.`,
    heading: 'Choose a new password',
    paragraphs: [
      `Somebody, most likely you, asked for a new password for your account at ${company.name}.`,
      `Press the button to choose one. The link works once, and for ${hoursInWords(hours)}.`,
    ],
    action: { label: 'Choose a new password', url: link },
    note: 'It was not you? Then do nothing: your password stays as it is.',
    reason: `You get this mail because somebody asked for a new password for ${to}.`,
  },
});

/**
 * To the new address of an account: whether it is theirs.
 * @param hours how long the link works
 */
export const emailChangeMail = (to: string, link: string, hours: number): NewMail => ({
  kind: 'email-change',
  to,
  subject: `Confirm your new email address for ${company.name}`,
  headers,
  letter: {
    preheader: `Until you confirm it, your old address stays. The link works for ${hoursInWords(hours)}.`,
    heading: 'Is this your new address?',
    paragraphs: [
      `Somebody, most likely you, wants to use this address for an account at ${company.name}.`,
      `Press the button to confirm that it is yours. The link works for ${hoursInWords(hours)}. Until then the old address stays.`,
    ],
    action: { label: 'Confirm new address', url: link },
    note: 'It was not you? Then do nothing: without your confirmation nothing changes.',
    reason: `You get this mail because somebody entered ${to} as the new address of an account.`,
  },
});

/** To the old address of an account, once it has another: the only way its owner would notice a theft. */
export const emailChangedMail = (to: string, newEmail: string): NewMail => ({
  kind: 'email-changed',
  to,
  replyTo: company.mailboxes.hello,
  subject: `Your email address for ${company.name} was changed`,
  headers,
  letter: {
    preheader: 'It was you? Then there is nothing to do. It was not? Then tell us at once.',
    heading: 'Your address was changed',
    paragraphs: [
      `Your account at ${company.name} has a new email address. Use it to sign in from now on.`,
    ],
    facts: [
      { label: 'Before', value: to },
      { label: 'Now', value: newEmail },
    ],
    note: `It was not you? Answer this mail at once, or write to ${company.mailboxes.hello}, and we look into it with you.`,
    reason: `You get this mail because ${to} was the address of your account until now.`,
  },
});
