import type { SubmissionForm } from '@app/contract/forms/submit';
import type { Transaction } from '@app/db/open';
import type { GenericSchema, ObjectEntries } from 'valibot';
import type { NewMail } from '../../email/outbox.ts';
import type { Deps } from './deps.ts';

/** Also available to the command line. */
export interface FormDeps extends Pick<Deps, 'db' | 'clock'> {
  settings: Pick<Deps['settings'], 'mailTo'>;
}

/** Fields of every form. */
export interface FormValues {
  name: string;
  email: string;
  message: string;
}

export interface SubmissionMetadata {
  id: string;
  createdAt: number;
  /** Null once delivered. */
  spamSignals: string[] | null;
}

export interface Form<T extends FormValues> {
  name: SubmissionForm;
  page: `/${string}`;
  schema: GenericSchema<unknown, T> & { entries: ObjectEntries };
  /** For the documentation, and for the tests that every form has to pass. */
  example: T;
  insert(tx: Transaction, sent: T, facts: SubmissionMetadata): void;
  /** Counts receipts, so call it once per submission. */
  mails(tx: Transaction, sent: T, now: number): NewMail[];
  find(tx: Transaction, id: string): (SubmissionMetadata & FormValues) | undefined;
  listQuarantined(): (SubmissionMetadata & FormValues)[];
  release(tx: Transaction, id: string): void;
}
