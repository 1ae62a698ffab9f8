import * as v from 'valibot';
import { emailField } from './fields.ts';
import { messages } from './messages.ts';

export const newsletterSubscription = v.strictObject({
  email: emailField(messages.newsletter.invalid.description),
});
export type NewsletterSubscription = v.InferOutput<typeof newsletterSubscription>;
