import type { InputIssue } from '../problems.ts';
/**
 * What a form sends beside its fields. None of it is needed: a form without scripts has no
 * key and no stamp, and is taken all the same.
 */

/** Forms that are taken once, however often they are sent. */
export type SubmissionForm = 'contact' | 'careers';

/**
 * One for each thing that is sent, made by the sender (a UUID): the same again is stored once
 * (draft-ietf-httpapi-idempotency-key-header).
 */
export const idempotencyKeyHeader = 'Idempotency-Key';

/** A field that people do not see and programs fill in. Sent empty, or not at all. */
export const honeypotField = 'homepage';

/** When the form was opened, signed by the server: see `FormStamp`. */
export const stampField = 'stamp';

/** How old a stamp is at least when a person sends the form, in milliseconds: nobody fills one in in less. */
export const fastestSubmission = 2_000;

/** What `GET /api/forms/stamp` answers. */
export interface FormStamp {
  stamp: string;
}

declare module '../pages.ts' {
  interface RenderedPages {
    /**
     * /contact/again/{token}, /careers/again/{token}: a form that was refused, for somebody
     * without scripts, with what they typed.
     */
    formAgain: { form: SubmissionForm; entries: Record<string, string>; issues: InputIssue[] };
  }
}
