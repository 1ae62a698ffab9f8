import { hash } from 'node:crypto';
import { day, hour } from '@app/contract/durations';
import type { Transaction } from '@app/db/open';
import { placeholders } from '@app/db/placeholders';
import { outbox as outboxTable } from '@app/db/schema/email';
import { idempotencyKeys } from '@app/db/schema/forms/submit';
import { sharedCommit } from '@app/db/shared-commit';
import { and, eq, gt, lt, sql } from 'drizzle-orm';
import { emailRow } from '../../email/outbox.ts';
import type { RateLimit } from '../../server/rate-limits/rate-limits.ts';
import { newId } from '../../tokens.ts';
import type { Deps } from './deps.ts';
import type { Form, FormValues } from './form.ts';
import { detectRepetition, detectSpam, type SpamFields } from './spam-signals.ts';

export const keyLifetime = 30 * day;
/**
 * Browsers post forms without a key until their script is loaded. The same content then counts as
 * the same submission, whether it is sent again with or without a key.
 */
const contentLifetime = day;

/** Per IP address, which an office may share. Rejected and repeated submissions do not count. */
export const formPosts: RateLimit = { name: 'form-posts', max: 30, milliseconds: hour };

/** Stands for the key of a submission that was sent without one. */
const contentKeyOf = (bodyHash: string): string => `sent-${bodyHash}`;

export interface Submission<T extends FormValues> {
  sent: T;
  /** Null without an idempotency key. */
  key: string | null;
  spamFields: SpamFields;
  /** The IP address. Null is not counted. */
  address: string | null;
}

export type Submitted =
  /** Stored now or before. Spam has the same outcome, so that its sender cannot tell. */
  | { outcome: 'stored' }
  /** The key was used for another submission. */
  | { outcome: 'key_reused' }
  | { outcome: 'too_many'; retryAfterSeconds: number };

/**
 * Stores each submission once (draft-ietf-httpapi-idempotency-key-header), with its emails. Spam is
 * stored without emails, for review.
 */
export function createSubmit<T extends FormValues>(deps: Deps, form: Form<T>) {
  const { db, clock, outbox, formTokens, recentTexts, rateLimits, log, settings } = deps;

  // Prepared, because every submission runs them.
  const findKey = db
    .select({ bodyHash: idempotencyKeys.bodyHash, createdAt: idempotencyKeys.createdAt })
    .from(idempotencyKeys)
    .where(
      and(eq(idempotencyKeys.form, form.name), eq(idempotencyKeys.key, sql.placeholder('key'))),
    )
    .prepare();
  const findContent = db
    .select({ key: idempotencyKeys.key })
    .from(idempotencyKeys)
    .where(
      and(
        eq(idempotencyKeys.form, form.name),
        eq(idempotencyKeys.bodyHash, sql.placeholder('bodyHash')),
        // Includes keys that were stored while the clock was ahead.
        gt(idempotencyKeys.createdAt, sql.placeholder('after')),
        lt(idempotencyKeys.createdAt, sql.placeholder('before')),
      ),
    )
    .prepare();
  const storeKey = db
    .insert(idempotencyKeys)
    .values(placeholders(idempotencyKeys))
    .onConflictDoUpdate({
      target: [idempotencyKeys.form, idempotencyKeys.key],
      set: { bodyHash: sql`excluded.body_hash`, createdAt: sql`excluded.created_at` },
    })
    .prepare();
  const insertSubmission = db.insert(form.table).values(placeholders(form.table)).prepare();
  const insertEmail = db.insert(outboxTable).values(placeholders(outboxTable)).prepare();

  /** What is known of an earlier submission with the same key or the same content. */
  function findEarlier(
    key: string | null,
    bodyHash: string,
    now: number,
  ): 'stored' | 'key_reused' | null {
    const known = key === null ? undefined : findKey.get({ key });
    // The absolute difference, because the key may have been stored while the clock was ahead.
    if (known && Math.abs(now - known.createdAt) < keyLifetime) {
      return known.bodyHash === bodyHash ? 'stored' : 'key_reused';
    }
    const window = { after: now - contentLifetime, before: now + contentLifetime };
    const same = findContent.all({ bodyHash, ...window });
    const isStored = same.some((other) => key === null || other.key === contentKeyOf(bodyHash));
    return isStored ? 'stored' : null;
  }

  function storeOnce(
    tx: Transaction,
    { sent, key: senderKey, spamFields, address }: Submission<T>,
  ): Submitted & { spamSignals?: string[] } {
    const now = clock.now();
    const bodyHash = hash('sha256', JSON.stringify(sent));
    const key = senderKey ?? contentKeyOf(bodyHash);
    const earlier = findEarlier(senderKey, bodyHash, now);
    if (earlier !== null) return { outcome: earlier };

    const spamSignals: string[] = detectSpam(sent, spamFields, formTokens);
    if (address !== null) {
      const taken = rateLimits.takeIn(tx, formPosts, address);
      if (!taken.allowed) return { outcome: 'too_many', ...taken };
      spamSignals.push(...detectRepetition(taken.count, recentTexts.note(sent.message)));
    }
    const isSpam = spamSignals.length > 0;
    storeKey.run({ form: form.name, key, bodyHash, createdAt: now });
    insertSubmission.run({
      ...(sent as object),
      id: newId(),
      createdAt: now,
      spamSignals: isSpam ? spamSignals : null,
    });
    const emails = isSpam ? [] : form.emails(tx, sent, { db, to: settings.emailTo, now });
    for (const email of emails) insertEmail.run(emailRow(email, now));
    return { outcome: 'stored', spamSignals };
  }

  return async (submission: Submission<T>): Promise<Submitted> => {
    const stored = await sharedCommit(db, (tx) => storeOnce(tx, submission));
    const { spamSignals, ...submitted } = stored;
    if (spamSignals?.length) log.warn({ form: form.name, spamSignals }, 'quarantined');
    else if (spamSignals) outbox.wake();
    return submitted;
  };
}
