import type { SubmissionForm } from '@app/contract/forms/submit';
import type { Transaction } from '@app/db/open';
import { writeTransaction } from '@app/db/write-transaction';
import { parse } from 'valibot';
import { enqueueMail } from '../../email/outbox.ts';
import { createCareerForm } from '../careers/careers.ts';
import { createContactForm } from '../contact/contact.ts';
import type { Form, FormDeps, RowFacts, Sent } from './form.ts';

/** Something that was sent and looks like spam, for a person to judge. */
export interface Quarantined extends Sent {
  id: string;
  form: SubmissionForm;
  /** In plain words; see `suspicions`. */
  reasons: string[];
  /** Milliseconds since 1970. */
  createdAt: number;
}

/** What waits for a person, the oldest first. */
export function listQuarantined(deps: FormDeps): Quarantined[] {
  const listOf = <T extends Sent>({ name: form, listQuarantined }: Form<T>) =>
    listQuarantined().map(({ id, name, email, message, quarantinedFor, createdAt }) => ({
      id,
      form,
      name,
      email,
      message,
      reasons: quarantinedFor ?? [],
      createdAt,
    }));
  const lists = [listOf(createContactForm(deps)), listOf(createCareerForm(deps))];
  return lists.flat().sort((a, b) => a.createdAt - b.createdAt);
}

/**
 * Delivers what was held back: its quarantine ends and its mails are promised, in one commit.
 * Call `wake()` on the outbox then, where there is one.
 */
export const releaseSubmission = (
  deps: FormDeps,
  id: string,
): Promise<'released' | 'not_found' | 'already_delivered'> =>
  writeTransaction(deps.db, (tx) => {
    const contact = createContactForm(deps);
    const message = contact.find(tx, id);
    if (message) return release(tx, deps, contact, message);
    const careers = createCareerForm(deps);
    const inquiry = careers.find(tx, id);
    return inquiry ? release(tx, deps, careers, inquiry) : 'not_found';
  });

function release<T extends Sent>(
  tx: Transaction,
  { clock }: FormDeps,
  form: Form<T>,
  { id, quarantinedFor, createdAt, ...stored }: RowFacts & Sent,
): 'released' | 'already_delivered' {
  if (quarantinedFor === null) return 'already_delivered';
  const now = clock.now();
  form.release(tx, id);
  for (const mail of form.mails(tx, parse(form.schema, stored), now)) enqueueMail(tx, now, mail);
  return 'released';
}
