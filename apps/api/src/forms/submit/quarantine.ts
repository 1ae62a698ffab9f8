import type { SubmissionForm } from '@app/contract/forms/submit';
import type { Database } from '@app/db/open';
import { writeTransaction } from '@app/db/write-transaction';
import { eq, isNotNull } from 'drizzle-orm';
import { parse } from 'valibot';
import { enqueueEmail } from '../../email/outbox.ts';
import type { Deps } from './deps.ts';
import type { Form, FormValues, SubmissionMetadata } from './form.ts';

type StoredSubmission = SubmissionMetadata & FormValues;

interface Quarantined extends FormValues {
  id: string;
  form: SubmissionForm;
  /** See `spamSignals`. */
  reasons: string[];
  createdAt: number;
}

/** Oldest first. */
export const listQuarantined = (db: Database, forms: readonly Form<FormValues>[]): Quarantined[] =>
  forms
    .flatMap(({ name: form, table }) => {
      const rows = db.select().from(table).where(isNotNull(table.spamSignals)).all();
      return (rows as StoredSubmission[]).map(
        ({ id, name, email, message, spamSignals, createdAt }) => ({
          id,
          form,
          name,
          email,
          message,
          reasons: spamSignals ?? [],
          createdAt,
        }),
      );
    })
    .sort((a, b) => a.createdAt - b.createdAt);

interface ReleaseDeps extends Pick<Deps, 'db' | 'clock'> {
  settings: Pick<Deps['settings'], 'emailTo'>;
}

/** Delivers a submission. Afterwards, call `wake()` on the outbox, if there is one. */
export const releaseSubmission = (
  { db, clock, settings }: ReleaseDeps,
  forms: readonly Form<FormValues>[],
  id: string,
): Promise<'released' | 'not_found' | 'already_delivered'> =>
  writeTransaction(db, (tx) => {
    for (const { table, schema, emails } of forms) {
      const row = tx.select().from(table).where(eq(table.id, id)).get();
      if (!row) continue;
      const { id: _, spamSignals, createdAt, ...stored } = row as StoredSubmission;
      if (spamSignals === null) return 'already_delivered';
      const now = clock.now();
      tx.update(table).set({ spamSignals: null }).where(eq(table.id, id)).run();
      const sent = parse(schema, stored);
      for (const email of emails(tx, sent, { db, to: settings.emailTo, now })) {
        enqueueEmail(tx, now, email);
      }
      return 'released';
    }
    return 'not_found';
  });
