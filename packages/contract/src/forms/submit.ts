import * as v from 'valibot';
import { messages } from '../messages.ts';
import type { InputIssue } from '../problems.ts';
import { honeypotField } from './honeypot.ts';

/** Forms whose submissions are stored exactly once. */
export type SubmissionForm = 'contact' | 'careers';

/** An optional UUID per submission (draft-ietf-httpapi-idempotency-key-header). */
export const idempotencyKeyHeader = 'Idempotency-Key';

/** The time the form was opened, signed by the server. Requires JavaScript. */
export const formTokenField = 'formToken';

/** Fields that every form sends in addition to its own. */
export const spamFields = {
  [honeypotField]: v.optional(v.string(messages.field.unknown), ''),
  [formTokenField]: v.optional(v.string(messages.field.unknown), ''),
};

/** In milliseconds. A form sent sooner after it was opened is treated as spam. */
export const minFormAge = 2_000;

declare module '../pages.ts' {
  interface RenderedPages {
    /** /contact/again/{token} and /careers/again/{token}, for browsers without JavaScript. */
    rejectedForm: { form: SubmissionForm; entries: Record<string, string>; issues: InputIssue[] };
    /** The response to a form without JavaScript whose body was not received or not read. */
    unreceivedForm: { reason: 'too-large' | 'too-slow' };
  }
}
