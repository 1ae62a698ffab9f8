import type { NewEmail } from './email/outbox.ts';
import type { EmailTemplates } from './email/template.ts';
import { features } from './features.ts';

const modules = await Promise.all(features.flatMap(({ emails }) => emails?.() ?? []));

/** Loaded with the first email, see email-renderer.ts. */
export const templates: EmailTemplates = Object.assign(
  {},
  ...modules.map((module) => module.templates),
);

export const emailSamples = (publicUrl: string): NewEmail[] =>
  modules.flatMap((module) => module.emailSamples(publicUrl));
