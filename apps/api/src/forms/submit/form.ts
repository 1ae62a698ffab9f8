import type { SubmissionForm } from '@app/contract/forms/submit';
import type { Transaction } from '@app/db/open';
import type { GenericSchema, ObjectEntries } from 'valibot';
import type { NewMail } from '../../email/outbox.ts';
import type { Deps } from './deps.ts';

/** What a form needs of the app. A program at the command line has no more than this. */
export interface FormDeps extends Pick<Deps, 'db' | 'clock'> {
  settings: Pick<Deps['settings'], 'mailTo'>;
}

/** What every form asks for, at least. */
export interface FormValues {
  name: string;
  email: string;
  message: string;
}

/** What a row has beside what was sent. */
export interface SubmissionMetadata {
  id: string;
  createdAt: number;
  /** Why it waits for a person; null for what was delivered. */
  spamSignals: string[] | null;
}

/** All that tells one form from another. */
export interface Form<T extends FormValues> {
  name: SubmissionForm;
  /** The page that it is on. */
  page: `/${string}`;
  schema: GenericSchema<unknown, T> & { entries: ObjectEntries };
  insert(tx: Transaction, sent: T, facts: SubmissionMetadata): void;
  /** The mails that it causes. Asked once for each thing that was sent: receipts are counted. */
  mails(tx: Transaction, sent: T, now: number): NewMail[];
  /** The row, its columns named as the fields of the schema. */
  find(tx: Transaction, id: string): (SubmissionMetadata & FormValues) | undefined;
  listQuarantined(): (SubmissionMetadata & FormValues)[];
  /** Ends the quarantine. */
  release(tx: Transaction, id: string): void;
}
