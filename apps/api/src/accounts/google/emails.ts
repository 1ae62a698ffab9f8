import { company } from '@app/site/company';
import { automatic } from '../../email/automatic.ts';
import type { EmailOf } from '../../email/template.ts';
import type { templates } from './email-templates.tsx';

/** To the owner of an account that Google can sign in to from now on, who would not notice a theft otherwise. */
export const googleLinkedMail = (to: string, publicUrl: string): EmailOf<typeof templates> => ({
  kind: 'google-linked',
  to,
  replyTo: company.mailboxes.hello,
  subject: `Google is connected to your account at ${company.name}`,
  headers: automatic,
  props: { link: `${publicUrl}/auth/forgot` },
});
