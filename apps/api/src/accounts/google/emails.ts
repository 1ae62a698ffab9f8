import { company } from '@app/site/company';
import type { NewMail } from '../../email/outbox.ts';

/** To the owner of an account, once somebody can enter it with Google: the only way they would notice a theft. */
export const googleLinkedMail = (to: string, publicUrl: string): NewMail => ({
  kind: 'google-linked',
  to,
  replyTo: company.mailboxes.hello,
  subject: `Google is connected to your account at ${company.name}`,
  // So that nobody's holiday notice answers (RFC 3834 §5).
  headers: { 'Auto-Submitted': 'auto-generated' },
  letter: {
    preheader: 'It was you? Then there is nothing to do. It was not? Then tell us at once.',
    heading: 'Google is connected',
    paragraphs: [
      `From now on you can sign in to ${company.name} with Google, as well as with your password.`,
    ],
    note: 'It was not you? Answer this mail at once, and we look into it with you. And choose a new password:',
    link: { label: 'Choose a new password', url: `${publicUrl}/auth/forgot` },
    reason: `You get this mail because Google was connected to the account with ${to}.`,
  },
});
