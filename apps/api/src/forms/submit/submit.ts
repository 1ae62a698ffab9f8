import { hash } from 'node:crypto';
import { insertRow } from '@app/db/insert-row';
import { outbox as outboxTable } from '@app/db/schema/email';
import { submissionKeys } from '@app/db/schema/forms/submit';
import { sharedCommit } from '@app/db/shared-commit';
import { and, eq, type Placeholder, sql } from 'drizzle-orm';
import type { Deps } from '../../deps.ts';
import { mailRow } from '../../email/outbox.ts';
import { createRateLimit, type RateLimit } from '../../server/rate-limits.ts';
import { newId } from '../../tokens.ts';
import type { Form, Sent } from './form.ts';
import { createTurns } from './mutex.ts';
import { judge, judgeRepetition, type Traces } from './spam-signals.ts';

const day = 24 * 60 * 60 * 1_000;
/** How long a sender's own key is remembered. */
export const keyLifetime = 30 * day;
/** The same text without a key is the same submission for so long: a reload, the Back button. */
const derivedKeyLifetime = day;

/**
 * How many posts the public forms take from one address: many, for a whole office may share
 * one. What is refused for another reason, or was stored before, does not count.
 */
export const formPostLimit = (db: Deps['db']): RateLimit =>
  createRateLimit(db, { name: 'form-posts', most: 30, seconds: 60 * 60 });

export interface Submission<T extends Sent> {
  sent: T;
  /** The sender's idempotency key; null for a sender that has none. */
  key: string | null;
  traces: Traces;
  /** Whom the limits count; null for nobody. */
  address: string | null;
}

export type Submitted =
  /** It is stored, by this request or by one before. Suspects are too: nobody is told of it. */
  | { outcome: 'stored' }
  /** Something else was sent with this key. */
  | { outcome: 'key_reused' }
  | { outcome: 'too_many'; retryAfterSeconds: number };

/**
 * Stores what a form sends, once, and promises its mails, in one commit with the key that says
 * it is done (draft-ietf-httpapi-idempotency-key-header). Suspects are stored without mails,
 * for a person to release.
 */
export function createSubmit<T extends Sent>(deps: Deps, form: Form<T>) {
  const { db, clock, outbox, stamps, recentTexts, log } = deps;
  const inTurn = createTurns();
  const posts = formPostLimit(db);

  const isKey = (key: string | Placeholder) =>
    and(eq(submissionKeys.form, form.name), eq(submissionKeys.key, key));

  /** What was sent with a key, and when. Compiled once: each submission asks it. */
  const findKey = db
    .select({ bodyHash: submissionKeys.bodyHash, createdAt: submissionKeys.createdAt })
    .from(submissionKeys)
    .where(isKey(sql.placeholder('key')))
    .prepare();

  async function store(
    sent: T,
    { key, bodyHash, isOver }: { key: string; bodyHash: string; isOver: boolean },
    suspicions: string[],
  ): Promise<void> {
    const isSuspect = suspicions.length > 0;
    await sharedCommit(db, (tx) => {
      const now = clock.now();
      form.insert(sent, {
        id: newId(),
        createdAt: now,
        quarantinedFor: isSuspect ? suspicions : null,
      });
      if (isOver) tx.delete(submissionKeys).where(isKey(key)).run();
      insertRow(db, submissionKeys, { form: form.name, key, bodyHash, createdAt: now });
      const mails = isSuspect ? [] : form.mails(tx, sent, now);
      for (const mail of mails) insertRow(db, outboxTable, mailRow(mail, now));
    });
    if (isSuspect) log.warn({ form: form.name, suspicions }, 'put in quarantine');
    else outbox.wake();
  }

  return ({ sent, key: givenKey, traces, address }: Submission<T>): Promise<Submitted> => {
    const bodyHash = hash('sha256', JSON.stringify(sent));
    const key = givenKey ?? `sent-${bodyHash}`;
    const lifetime = givenKey === null ? derivedKeyLifetime : keyLifetime;

    // The table's primary key stands behind this: one that slipped through would store nothing.
    return inTurn(key, async () => {
      const known = findKey.get({ key });
      const age = clock.now() - (known?.createdAt ?? 0);
      // One from the future is as old: the clock was set back since.
      if (known && Math.abs(age) < lifetime) {
        return { outcome: known.bodyHash === bodyHash ? 'stored' : 'key_reused' };
      }

      const suspicions = judge(sent, traces, stamps);
      if (address !== null) {
        const taken = await posts.take(address);
        if (!taken.allowed) return { outcome: 'too_many', ...taken };
        suspicions.push(...judgeRepetition(taken.count, recentTexts.note(sent.message)));
      }
      // One that is there still, and counts no more, makes room.
      await store(sent, { key, bodyHash, isOver: known !== undefined }, suspicions);
      return { outcome: 'stored' };
    });
  };
}
