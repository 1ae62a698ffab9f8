import type { SubmissionForm } from '@app/contract/forms/submit';
import type { RenderedPages } from '@app/contract/pages';
import type { DatabaseOrTransaction } from '@app/db/open';
import { savedEntries } from '@app/db/schema/forms/submit';
import { writeTransaction } from '@app/db/write-transaction';
import { and, between, desc, eq, notBetween, notInArray } from 'drizzle-orm';
import { hashToken, newToken } from '../../tokens.ts';
import type { Deps } from './deps.ts';

/** As long as somebody needs to mend a form, and no longer: it is what they wrote. */
const lifetime = 60 * 60 * 1_000;
/** The entries of one form as JSON, in characters: four times what it would take. */
const maxCharacters = 32_000;
/** Then the oldest make room. */
const maxRows = 1_000;

/**
 * Keeps what somebody without scripts typed into a form that was refused. Gives the token of
 * the address that shows it again; null when it is too large to keep.
 */
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

/** What was kept under a token; null when there is nothing, or no longer. */
export async function findSavedEntries(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  form: SubmissionForm,
  token: string,
): Promise<RenderedPages['rejectedForm'] | null> {
  const now = clock.now();
  const [kept] = await db
    .select({ entries: savedEntries.entries, issues: savedEntries.issues })
    .from(savedEntries)
    .where(
      and(
        eq(savedEntries.tokenHash, hashToken(token)),
        eq(savedEntries.form, form),
        between(savedEntries.createdAt, now - lifetime + 1, now + lifetime),
      ),
    );
  return kept ? { form, ...kept } : null;
}

/** Deletes expired entries, and those stored while the clock was ahead. */
export function deleteExpiredEntries(db: DatabaseOrTransaction, now: number): void {
  db.delete(savedEntries)
    .where(notBetween(savedEntries.createdAt, now - lifetime + 1, now + lifetime))
    .run();
}
