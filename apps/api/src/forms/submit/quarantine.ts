import type { SubmissionForm } from '@app/contract/forms/submit';
import type { Transaction } from '@app/db/open';
import { writeTransaction } from '@app/db/write-transaction';
import { parse } from 'valibot';
import { enqueueMail } from '../../email/outbox.ts';
import type { Form, FormDeps, FormValues, SubmissionMetadata } from './form.ts';

export interface Quarantined extends FormValues {
  id: string;
  form: SubmissionForm;
  /** See `spamSignals`. */
  reasons: string[];
  createdAt: number;
}

/** Oldest first. */
export const listQuarantined = (forms: readonly Form<FormValues>[]): Quarantined[] =>
  forms
    .flatMap(({ name: form, listQuarantined }) =>
      listQuarantined().map(({ id, name, email, message, spamSignals, createdAt }) => ({
        id,
        form,
        name,
        email,
        message,
        reasons: spamSignals ?? [],
        createdAt,
      })),
    )
    .sort((a, b) => a.createdAt - b.createdAt);

/** Delivers a submission. Call `wake()` on the outbox then, if there is one. */
export const releaseSubmission = (
  deps: FormDeps,
  forms: readonly Form<FormValues>[],
  id: string,
): Promise<'released' | 'not_found' | 'already_delivered'> =>
  writeTransaction(deps.db, (tx) => {
    for (const form of forms) {
      const sent = form.find(tx, id);
      if (sent) return release(tx, deps, form, sent);
    }
    return 'not_found';
  });

function release(
  tx: Transaction,
  { clock }: FormDeps,
  form: Form<FormValues>,
  { id, spamSignals, createdAt, ...stored }: SubmissionMetadata & FormValues,
): 'released' | 'already_delivered' {
  if (spamSignals === null) return 'already_delivered';
  const now = clock.now();
  form.release(tx, id);
  for (const mail of form.mails(tx, parse(form.schema, stored), now)) enqueueMail(tx, now, mail);
  return 'released';
}
