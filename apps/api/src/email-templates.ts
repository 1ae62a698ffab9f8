import * as google from './accounts/google/email-templates.tsx';
import * as settings from './accounts/settings/email-templates.tsx';
import * as signIn from './accounts/sign-in/email-templates.tsx';
import type { NewMail } from './email/outbox.ts';
import type { EmailTemplates } from './email/template.ts';
import * as careers from './forms/careers/email-templates.tsx';
import * as contact from './forms/contact/email-templates.tsx';
import * as newsletter from './forms/newsletter/email-templates.tsx';

/** Every kind of email. Only imported when one is rendered: see email-renderer.ts. */
export const templates: EmailTemplates = {
  ...signIn.templates,
  ...settings.templates,
  ...google.templates,
  ...newsletter.templates,
  ...contact.templates,
  ...careers.templates,
};

/** One or more of each kind, with made-up contents. */
export const emailSamples = (publicUrl: string): NewMail[] => [
  ...signIn.emailSamples(publicUrl),
  ...settings.emailSamples(publicUrl),
  ...google.emailSamples(publicUrl),
  ...newsletter.emailSamples(publicUrl),
  ...contact.emailSamples(),
  ...careers.emailSamples(),
];
