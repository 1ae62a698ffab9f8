import * as v from 'valibot';
import { emailField, optionalText, requiredText } from '../fields.ts';
import { limits } from '../limits.ts';
import { messages } from '../messages.ts';

/** In the order of the menu. The first is the default. */
export const contactServices = ['general', 'betty', 'custom', 'website', 'demo'] as const;
export type ContactService = (typeof contactServices)[number];

export const contactMessage = v.strictObject({
  name: requiredText(limits.name, messages.field.nameRequired),
  email: emailField(),
  phone: optionalText(limits.phone),
  company: optionalText(limits.company),
  message: requiredText(limits.message, messages.field.messageRequired),
  service: v.optional(v.picklist(contactServices, messages.field.serviceUnknown), 'general'),
});
export type ContactMessage = v.InferOutput<typeof contactMessage>;
