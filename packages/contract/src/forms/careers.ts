import * as v from 'valibot';
import { emailField, optionalHttpUrl, requiredLine, requiredText } from '../fields.ts';
import { limits } from '../limits.ts';
import { messages } from '../messages.ts';

/** Texts quoted in the spec (§5, §8) are verbatim. */
export const careerMessages = {
  sent: 'Your inquiry has been submitted successfully!',
  notStored: 'Error submitting form. Please try again later.',
  failed: 'Failed to submit your inquiry. Please try again.',
  nameTooShort: 'Name must be at least 2 characters.',
  resumeLinkInvalid: 'Please enter a valid URL for your resume.',
  messageTooShort: 'Message must be at least 10 characters.',
} as const;

export const careerInquiry = v.strictObject({
  name: requiredLine(limits.name, careerMessages.nameTooShort, limits.inquiryNameMin),
  email: emailField(messages.field.emailInvalid),
  resumeLink: v.optional(optionalHttpUrl(limits.url, careerMessages.resumeLinkInvalid), null),
  message: requiredText(limits.message, careerMessages.messageTooShort, limits.inquiryMessageMin),
});
export type CareerInquiry = v.InferOutput<typeof careerInquiry>;
