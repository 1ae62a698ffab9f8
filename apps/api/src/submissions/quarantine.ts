import type { SubmissionForm } from '@app/contract/submissions';
import { atomic } from '@app/db/atomic';
import { submissionKeys } from '@app/db/schema/submissions';
import { parse } from 'valibot';
import { createCareerForm } from '../careers/careers.ts';
import { createContactForm } from '../contact/contact.ts';
import { insertMail } from '../mail/outbox.ts';
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
export async function listQuarantined(deps: FormDeps): Promise<Quarantined[]> {
  const listOf = async <T extends Sent>({ name: form, listQuarantined }: Form<T>) =>
    (await listQuarantined()).map(({ id, name, email, message, quarantinedFor, createdAt }) => ({
      id,
      form,
      name,
      email,
      message,
      reasons: quarantinedFor ?? [],
      createdAt,
    }));
  const lists = [await listOf(createContactForm(deps)), await listOf(createCareerForm(deps))];
  return lists.flat().sort((a, b) => a.createdAt - b.createdAt);
}

/**
 * Delivers what was held back: its quarantine ends and its mails are promised, in one commit.
 * Call `wake()` on the outbox then, where there is one.
 */
export async function releaseSubmission(
  deps: FormDeps,
  id: string,
): Promise<'released' | 'not_found' | 'already_delivered'> {
  const contact = createContactForm(deps);
  const message = await contact.find(id);
  if (message) return release(deps, contact, message);
  const careers = createCareerForm(deps);
  const inquiry = await careers.find(id);
  return inquiry ? release(deps, careers, inquiry) : 'not_found';
}

async function release<T extends Sent>(
  { db, clock }: FormDeps,
  form: Form<T>,
  { id, quarantinedFor, createdAt, ...stored }: RowFacts & Sent,
): Promise<'released' | 'already_delivered'> {
  if (quarantinedFor === null) return 'already_delivered';
  const mails = await form.mails(parse(form.schema, stored));
  const now = clock.now();
  try {
    await atomic(db, [
      // Two people may release at once: the second one's key is taken, and nothing of it happens.
      db
        .insert(submissionKeys)
        .values({ form: form.name, key: `release-${id}`, bodyHash: '', createdAt: now }),
      form.release(id),
      ...mails.map((mail) => insertMail(db, now, mail)),
    ]);
    return 'released';
  } catch (error) {
    const isTaken = (error as { code?: string }).code === 'SQLITE_CONSTRAINT_PRIMARYKEY';
    if (isTaken) return 'already_delivered';
    throw error;
  }
}
