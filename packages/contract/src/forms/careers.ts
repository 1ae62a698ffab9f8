import * as v from 'valibot';
import { emailField, optionalHttpUrl, requiredText } from '../fields.ts';
import { limits } from '../limits.ts';
import { messages } from '../messages.ts';

const { nameTooShort, resumeLinkInvalid, messageTooShort } = messages.careers;

export const careerInquiry = v.strictObject({
  name: requiredText(limits.name, nameTooShort, limits.inquiryNameMin),
  email: emailField(messages.field.emailInvalid),
  resumeLink: v.optional(optionalHttpUrl(limits.url, resumeLinkInvalid), null),
  message: requiredText(limits.message, messageTooShort, limits.inquiryMessageMin),
});
export type CareerInquiry = v.InferOutput<typeof careerInquiry>;
