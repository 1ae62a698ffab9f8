import { company } from '@app/site/company';
import { automatic } from '../../email/automatic.ts';
import type { EmailOf } from '../../email/template.ts';
import type { templates } from './email-templates.tsx';

/** Sent because the owner might not notice a takeover otherwise. */
export const googleLinkedEmail = (to: string, publicUrl: string): EmailOf<typeof templates> => ({
  kind: 'google-linked',
  to,
  replyTo: company.mailboxes.hello,
  subject: `Google is connected to your account at ${company.name}`,
  headers: automatic,
  props: { link: `${publicUrl}/auth/forgot` },
});
