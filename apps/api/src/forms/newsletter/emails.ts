import { company } from '@app/site/company';
import type { EmailOf } from '../../email/template.ts';
import type { templates } from './email-templates.tsx';

type NewsletterEmail = EmailOf<typeof templates>;

/** Double opt-in, because anyone can enter an address. */
export const newsletterConfirmationEmail = (
  to: string,
  publicUrl: string,
  token: string,
): NewsletterEmail => ({
  kind: 'newsletter-confirmation',
  to,
  subject: `Confirm your subscription to the ${company.name} newsletter`,
  props: { link: `${publicUrl}/newsletter/confirm?token=${token}` },
});

export const welcomeEmail = (
  to: string,
  publicUrl: string,
  unsubscribeToken: string,
): NewsletterEmail => ({
  kind: 'newsletter-welcome',
  to,
  replyTo: company.mailboxes.hello,
  subject: `You're subscribed to the ${company.name} newsletter`,
  headers: unsubscribeHeaders(publicUrl, unsubscribeToken),
  props: {
    blogLink: `${publicUrl}/blog`,
    unsubscribeLink: `${publicUrl}/newsletter/unsubscribe?token=${unsubscribeToken}`,
  },
});

/** Email clients POST to the URL (RFC 8058). Older ones open it (RFC 2369). */
const unsubscribeHeaders = (publicUrl: string, token: string): Record<string, string> => ({
  'List-Unsubscribe': `<${publicUrl}/api/newsletter/unsubscribe?token=${token}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});
