import * as v from 'valibot';
import { emailField, optionalLine, requiredLine, requiredText } from '../fields.ts';
import { limits } from '../limits.ts';

/** In the order of the menu. */
export const contactServices = ['general', 'betty', 'custom', 'website', 'demo'] as const;
export type ContactService = (typeof contactServices)[number];

/** Texts quoted in the spec (§5, §8) are verbatim. */
export const contactMessages = {
  nameRequired: 'Full name is required',
  messageRequired: 'Message is required',
  serviceUnknown: 'Please choose one of the listed services.',
  sent: { title: 'Message sent!', description: "We'll get back to you as soon as possible." },
  notStored: { title: 'Error submitting form', description: 'Please try again later.' },
  failed: { title: 'An error occurred', description: 'Please try again later.' },
} as const;

export const contactMessage = v.strictObject({
  name: requiredLine(limits.name, contactMessages.nameRequired),
  email: emailField(),
  phone: optionalLine(limits.phone),
  company: optionalLine(limits.company),
  message: requiredText(limits.message, contactMessages.messageRequired),
  service: v.optional(v.picklist(contactServices, contactMessages.serviceUnknown), 'general'),
});
export type ContactMessage = v.InferOutput<typeof contactMessage>;
