import { company } from '@app/site/company';
import { newsletter } from '@app/site/newsletter';
import type { NewMail } from '../../email/outbox.ts';

/** Asks whoever reads the address whether they want the newsletter: anybody can type it into a form. */
export const newsletterConfirmationMail = (
  to: string,
  publicUrl: string,
  token: string,
): NewMail => ({
  kind: 'newsletter-confirmation',
  to,
  subject: `One press, and the ${company.name} newsletter is yours`,
  letter: {
    heading: 'Shall we send it to you?',
    paragraphs: [
      `Somebody, most likely you, asked for our newsletter at this address. It tells what we learn about ${newsletter.topic}.`,
      'Press the button and you are on the list. The link works for 48 hours.',
    ],
    action: {
      label: 'Yes, send it to me',
      url: `${publicUrl}/newsletter/confirm?token=${token}`,
    },
    reason: `You get this mail because this address was typed into the newsletter form of ${company.name}.`,
    note: 'It was not you? Then do nothing: without your press you are not on the list.',
  },
});

export const welcomeMail = (to: string, publicUrl: string, unsubscribeToken: string): NewMail => ({
  kind: 'newsletter-welcome',
  to,
  replyTo: company.mailboxes.hello,
  subject: `You are on the list of ${company.name}`,
  headers: unsubscribeHeaders(publicUrl, unsubscribeToken),
  letter: {
    heading: 'You are on the list',
    paragraphs: [
      'Thank you for subscribing. Your address is confirmed.',
      `What you can expect: what we learn about ${newsletter.topic}, when there is something worth your time. Nothing else comes of this subscription.`,
      'Questions? Answer this mail. A person reads it.',
    ],
    action: { label: 'Read the blog meanwhile', url: `${publicUrl}/blog` },
    note: 'One press ends it, now or any time later:',
    reason: 'You get this mail because you confirmed your subscription.',
    link: {
      label: 'Unsubscribe',
      url: `${publicUrl}/newsletter/unsubscribe?token=${unsubscribeToken}`,
    },
  },
});

/**
 * What shows the mail program's own unsubscribe button. It posts to the address by itself
 * (RFC 8058); an older program opens it in a browser (RFC 2369).
 */
const unsubscribeHeaders = (publicUrl: string, token: string): Record<string, string> => ({
  'List-Unsubscribe': `<${publicUrl}/api/newsletter/unsubscribe?token=${token}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});
