import { hour } from '@app/contract/durations';
import type { SubmissionForm } from '@app/contract/forms/submit';
import type { RenderedPages } from '@app/contract/pages';
import type { DatabaseOrTransaction } from '@app/db/open';
import { savedEntries } from '@app/db/schema/forms/submit';
import { writeTransaction } from '@app/db/write-transaction';
import { and, between, desc, eq, notBetween, notInArray } from 'drizzle-orm';
import { hashToken, newToken } from '../../tokens.ts';
import type { Deps } from './deps.ts';

const lifetime = hour;
/** Per form, as JSON: four times the size of valid entries. */
const maxCharacters = 32_000;
/** Beyond that, the oldest rows are deleted. */
const maxRows = 1_000;

/** @returns the token of the page that shows the entries again; null if they are too large */
export async function saveEntries(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { form, entries, issues }: RenderedPages['rejectedForm'],
): Promise<string | null> {
  if (JSON.stringify(entries).length > maxCharacters) return null;
  const token = newToken();
  const now = clock.now();
  await writeTransaction(db, (tx) => {
    tx.insert(savedEntries)
      .values({ tokenHash: hashToken(token), form, entries, issues, createdAt: now })
      .run();
    deleteExpiredEntries(tx, now);
    const newest = tx
      .select({ tokenHash: savedEntries.tokenHash })
      .from(savedEntries)
      .orderBy(desc(savedEntries.createdAt))
      .limit(maxRows);
    tx.delete(savedEntries).where(notInArray(savedEntries.tokenHash, newest)).run();
  });
  return token;
}

export function findSavedEntries(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  form: SubmissionForm,
  token: string,
): RenderedPages['rejectedForm'] | null {
  const now = clock.now();
  const saved = db
    .select({ entries: savedEntries.entries, issues: savedEntries.issues })
    .from(savedEntries)
    .where(
      and(
        eq(savedEntries.tokenHash, hashToken(token)),
        eq(savedEntries.form, form),
        between(savedEntries.createdAt, now - lifetime + 1, now + lifetime),
      ),
    )
    .get();
  return saved ? { form, ...saved } : null;
}

/** Deletes expired entries, and those stored while the clock was ahead. */
export function deleteExpiredEntries(db: DatabaseOrTransaction, now: number): void {
  db.delete(savedEntries)
    .where(notBetween(savedEntries.createdAt, now - lifetime + 1, now + lifetime))
    .run();
}
