import type { AccountDeletion } from '@app/contract/accounts/settings';
import { company } from '@app/site/company';
import type { NewMail } from '../../email/outbox.ts';

/** So that nobody's holiday notice answers (RFC 3834 §5). */
const headers = { 'Auto-Submitted': 'auto-generated' };

/** To the owner of an account: the only way they would notice that somebody else did it. */
export const passwordChangedMail = (to: string, publicUrl: string): NewMail => ({
  kind: 'password-changed',
  to,
  replyTo: company.mailboxes.hello,
  subject: `Your password for ${company.name} was changed`,
  headers,
  letter: {
    preheader: 'It was you? Then there is nothing to do. It was not? Then choose a new one now.',
    heading: 'Your password was changed',
    paragraphs: [
      `Your account at ${company.name} has a new password. You are signed out everywhere but where you changed it.`,
    ],
    note: 'It was not you? Answer this mail, and we look into it with you. But first choose a new password, which signs out whoever did it:',
    link: { label: 'Choose a new password', url: `${publicUrl}/auth/forgot` },
    reason: `You get this mail because the password of the account with ${to} was changed.`,
  },
});

/**
 * To the address that an account has, when another one is asked for: before anything is changed,
 * its owner can call it off.
 * @param hours how long the link to the new address works
 */
export const emailChangeRequestedMail = (
  to: string,
  { newEmail, cancelLink }: { newEmail: string; cancelLink: string },
  hours: number,
): NewMail => ({
  kind: 'email-change-requested',
  to,
  replyTo: company.mailboxes.hello,
  subject: `Your email address for ${company.name} is about to change`,
  headers,
  letter: {
    preheader: 'If this was you, there is nothing to do here. If not, cancel the change.',
    heading: 'A new email address was requested',
    paragraphs: [
      `Somebody who is signed in to your account at ${company.name} wants to use another email address for it. It changes when the link that we sent there is followed, within ${hours} hours.`,
      'If this was not you, cancel the change. This also signs out the browser that asked for it.',
    ],
    facts: [
      { label: 'Now', value: to },
      { label: 'New', value: newEmail },
    ],
    action: { label: 'Cancel the change', url: cancelLink },
    note: 'If this was you, ignore this email.',
    reason: `You get this mail because ${to} is the address of your account.`,
  },
});

/** Instead of a link to confirm it, when the new address of one account has another account. */
export const addressTakenMail = (to: string, publicUrl: string): NewMail => ({
  kind: 'address-taken',
  to,
  subject: `You already have an account at ${company.name}`,
  headers,
  letter: {
    heading: 'This address has an account already',
    paragraphs: [
      `Somebody, most likely you, wants to use this address for another account at ${company.name}. It has one already, so nothing was changed.`,
      'Each address has one account. To use it for the other one, sign in to this one first, and change its address or delete it.',
    ],
    action: { label: 'Sign in', url: `${publicUrl}/auth` },
    note: 'It was not you? Then do nothing: nobody learnt that you have an account.',
    reason: `You get this mail because somebody entered ${to} as the new address of an account.`,
  },
});

/**
 * The last mail to somebody: that it is done, and what is left.
 * @param posts what became of those they had published
 */
export const accountDeletedMail = (to: string, posts: AccountDeletion['posts']): NewMail => ({
  kind: 'account-deleted',
  to,
  replyTo: company.mailboxes.hello,
  subject: `Your account at ${company.name} is deleted`,
  headers,
  letter: {
    preheader: 'What is gone, and what is left.',
    heading: 'Your account was deleted',
    paragraphs: [
      posts === 'delete'
        ? 'Your profile, your pictures, your drafts and all your posts are gone, and nobody can sign in any more.'
        : 'Your profile, your pictures and your drafts are gone, and nobody can sign in any more. Posts that you had published stay on the blog, without your name.',
      'A subscription to our newsletter is apart from the account and stays, if you have one: each newsletter has a link that ends it.',
      `Messages that you sent us stay with us as well. Write to ${company.mailboxes.privacy} if you want them deleted.`,
      'Thank you for having been here.',
    ],
    note: 'It was not you? Answer this mail at once, and we look into it with you.',
    reason: `You get this mail because the account with ${to} was deleted.`,
  },
});
