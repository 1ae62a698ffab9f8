import * as v from 'valibot';
import { messages } from '../messages.ts';
import type { InputIssue } from '../problems.ts';
import { honeypotField } from './honeypot.ts';

/** Forms whose submissions are stored exactly once. */
export type SubmissionForm = 'contact' | 'careers';

/** A UUID per submission (draft-ietf-httpapi-idempotency-key-header). Optional. */
export const idempotencyKeyHeader = 'Idempotency-Key';

/** When the form was opened, signed by the server. Only forms with JavaScript have one. */
export const formTokenField = 'formToken';

/** What every form sends besides its own fields. */
export const spamFields = {
  [honeypotField]: v.optional(v.string(messages.field.unknown), ''),
  [formTokenField]: v.optional(v.string(messages.field.unknown), ''),
};

/** A form sent sooner after it was opened is treated as spam, in milliseconds. */
export const minFormAge = 2_000;

declare module '../pages.ts' {
  interface RenderedPages {
    /** /contact/again/{token}, /careers/again/{token}: without JavaScript, with the saved entries. */
    rejectedForm: { form: SubmissionForm; entries: Record<string, string>; issues: InputIssue[] };
    /** The response to any form without JavaScript whose body was not received or not read. */
    unreceivedForm: { reason: 'too-large' | 'too-slow' | 'too-many' };
  }
}
