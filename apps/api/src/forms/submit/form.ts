import type { SubmissionForm } from '@app/contract/forms/submit';
import type { Database, Transaction } from '@app/db/open';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { GenericSchema, ObjectEntries } from 'valibot';
import type { NewEmail } from '../../email/outbox.ts';

/** Fields of every form. */
export interface FormValues {
  name: string;
  email: string;
  message: string;
}

export interface SubmissionMetadata {
  id: string;
  createdAt: number;
  /** Null if the submission was delivered, or released from the quarantine. */
  spamSignals: string[] | null;
}

export interface Form<T extends FormValues> {
  name: SubmissionForm;
  page: `/${string}`;
  schema: GenericSchema<unknown, T> & { entries: ObjectEntries };
  /** For the documentation, and for the tests that every form has to pass. */
  example: T;
  /** With a column for each field of the schema. */
  table: SQLiteTable & Record<keyof SubmissionMetadata | 'email', SQLiteColumn>;
  /**
   * Counts receipts, so call it once per submission.
   * @param to the company's address
   */
  emails(
    tx: Transaction,
    sent: T,
    { db, to, now }: { db: Database; to: string; now: number },
  ): NewEmail[];
}

/** For `submissions list` and `submissions export`. */
export interface SubmissionTable {
  form: string;
  table: SQLiteTable & { createdAt: SQLiteColumn };
  /** Texts, lists of texts, and times. */
  columns: readonly SQLiteColumn[];
}
