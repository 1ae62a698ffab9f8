import { setImmediate } from 'node:timers/promises';
import { hour } from '@app/contract/durations';
import type { Database, Transaction } from '@app/db/open';
import { outbox } from '@app/db/schema/email';
import { sharedCommit } from '@app/db/shared-commit';
import { and, asc, count, eq, gt, inArray, lte, min, notInArray, or, sql } from 'drizzle-orm';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Health } from '../server/health/health.ts';
import type { Storage } from '../server/health/storage.ts';
import { newId } from '../tokens.ts';
import { isOverdue, maxDelay, retryDelay } from './backoff.ts';
import { refusals } from './refusals.ts';
import type { RenderEmail } from './render.tsx';
import { findSuppression, isStoppedBy } from './suppressions.ts';
import { type EmailTransport, type OutboxEmail, reasonOf, type SendResult } from './transport.ts';

export interface NewEmail {
  kind: string;
  to: string;
  replyTo?: string;
  subject: string;
  props: Record<string, unknown>;
  headers?: Record<string, string>;
}

const maxConcurrent = 8;

/** After this time an email may be sent again: longer than any transport's timeout. */
const leaseMilliseconds = 120_000;

/** The command line adds emails without waking the outbox. */
const pollMilliseconds = 60_000;

/** The longest pause that a provider can ask for with Retry-After. */
const maxPause = hour;

const stopMilliseconds = 4_000;

const healthSource = 'email';

/** Enqueues an email in its cause's transaction. Call `wake()` on the outbox after the commit. */
export function enqueueEmail(tx: Transaction, now: number, email: NewEmail): void {
  tx.insert(outbox).values(emailRow(email, now)).run();
}

export const emailRow = ({ replyTo, headers, ...email }: NewEmail, now: number): OutboxEmail => ({
  ...email,
  // Resend rejects subjects with line breaks.
  subject: email.subject.replace(/\s+/g, ' '),
  id: newId(),
  replyTo: replyTo ?? null,
  headers: headers ?? null,
  state: 'queued',
  attempts: 0,
  nextAttemptAt: now,
  lastError: null,
  sentAt: null,
  createdAt: now,
});

/** Removes tokens, because readers of the table or of a backup could use them. */
const withoutTokens = (props: OutboxEmail['props']): OutboxEmail['props'] =>
  JSON.parse(JSON.stringify(props).replaceAll(/([?&]token=)[\w-]+/g, '$1'));

interface AttemptResult {
  id: string;
  change: Partial<OutboxEmail>;
}

interface OutboxParts {
  db: Database;
  clock: Clock;
  log: Log;
  health: Pick<Health, 'report' | 'clear'>;
  storage: Pick<Storage, 'note'>;
  transport: EmailTransport;
  renderEmail: RenderEmail;
  /** Kinds that are sent despite a complaint. */
  accountEmails: readonly string[];
  /** For development: does not remove links from sent emails. */
  keepLinks: boolean;
}

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * Sends queued emails, a few at a time. An email is leased by moving its next attempt into the
 * future, so it is sent again after a crash. It keeps its id, which is the idempotency key and the
 * Message-ID.
 */
export function createOutbox({
  db,
  clock,
  log,
  health,
  storage,
  transport,
  renderEmail,
  accountEmails,
  keepLinks,
}: OutboxParts) {
  /** Ids of emails that are being sent, or whose results are not stored yet. */
  const sending = new Set<string>();
  let results: AttemptResult[] = [];
  let pausedUntil = 0;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  /** Aborted when `stop` no longer waits for the provider. */
  const aborted = new AbortController();
  let hasChanges = false;
  let resolveChange: (() => void) | undefined;

  /** Excludes emails being sent, whose lease may have ended. */
  const lease = (tx: Transaction, now: number, max: number): OutboxEmail[] => {
    const due = tx
      .select({ id: outbox.id })
      .from(outbox)
      .where(
        and(
          eq(outbox.state, 'queued'),
          // Scheduled later than any retry: the clock was ahead.
          or(lte(outbox.nextAttemptAt, now), gt(outbox.nextAttemptAt, now + maxDelay)),
          notInArray(outbox.id, [...sending]),
        ),
      )
      .orderBy(asc(outbox.nextAttemptAt))
      .limit(max);
    return tx
      .update(outbox)
      .set({ attempts: sql`${outbox.attempts} + 1`, nextAttemptAt: now + leaseMilliseconds })
      .where(inArray(outbox.id, due))
      .returning()
      .all();
  };

  async function storeAndLease(): Promise<OutboxEmail[]> {
    const now = clock.now();
    const stored = [...results];
    // Leasing an email now would only delay it until the lease ends.
    const isPaused = pausedUntil > now && pausedUntil <= now + maxPause;
    const mayLease = !isStopped && !isPaused;
    const max = mayLease ? maxConcurrent - sending.size + stored.length : 0;
    // Avoids a transaction, because this runs for every email that is enqueued.
    if (max === 0 && stored.length === 0) return [];
    const leased = await sharedCommit(db, (tx) => {
      for (const { id, change } of stored) {
        tx.update(outbox).set(change).where(eq(outbox.id, id)).run();
      }
      return lease(tx, now, max);
    });
    // If the transaction fails, the results are stored the next time.
    results = results.slice(stored.length);
    for (const { id } of stored) sending.delete(id);
    return leased;
  }

  async function deliver(email: OutboxEmail): Promise<SendResult> {
    try {
      const suppression = findSuppression(db, email.to);
      if (suppression && isStoppedBy(suppression, accountEmails.includes(email.kind))) {
        const why = `suppressed: ${suppression.reason}`;
        return { outcome: 'refused', reason: `${why} (\`suppressions remove\` lifts it)` };
      }
      const { props, ...rest } = email;
      const bodies = await renderEmail(email);
      if ('problem' in bodies) {
        return { outcome: 'refused', reason: `cannot be rendered: ${bodies.problem}` };
      }
      const result = await unlessAborted(transport.send({ ...rest, ...bodies }));
      if (!suppression || result.outcome !== 'sent') return result;
      return { ...result, details: { ...result.details, despite: suppression.reason } };
    } catch (error) {
      log.error({ emailId: email.id, err: error }, 'sending an email failed unexpectedly');
      return { outcome: 'failed', reason: reasonOf(error) };
    }
  }

  function unlessAborted(response: Promise<SendResult>): Promise<SendResult> {
    const { signal } = aborted;
    return new Promise((resolve, reject) => {
      const fail = () =>
        resolve({ outcome: 'failed', reason: 'the server stopped before a response' });
      signal.addEventListener('abort', fail);
      response.then(resolve, reject).finally(() => signal.removeEventListener('abort', fail));
    });
  }

  async function send(email: OutboxEmail): Promise<void> {
    const result = await deliver(email);
    results.push({ id: email.id, change: changeAfter(email, result) });
    notify();
  }

  function changeAfter(email: OutboxEmail, result: SendResult): AttemptResult['change'] {
    const now = clock.now();
    const about = { emailId: email.id, kind: email.kind, attempts: email.attempts };
    if (result.outcome === 'sent') {
      log.info({ ...about, ...result.details }, 'email sent');
      health.clear(healthSource);
      const props = keepLinks ? email.props : withoutTokens(email.props);
      return { state: 'sent', sentAt: now, lastError: null, props };
    }
    const reason = reasonFor(result);
    if (result.outcome === 'rate_limited') {
      const pause = Math.min(result.retryAfter, maxPause);
      pausedUntil = Math.max(pausedUntil, now + pause);
      log.warn({ ...about, reason, milliseconds: pause }, 'email provider asked to wait');
      // Does not count as an attempt.
      return { attempts: email.attempts - 1, nextAttemptAt: now + pause, lastError: reason };
    }
    // Stopping the server does not count as a failed attempt.
    const isGivenUp = isOverdue(email, now) && !aborted.signal.aborted;
    if (result.outcome === 'refused' || isGivenUp) {
      log.error({ ...about, reason }, 'email failed permanently');
      return { state: 'dead', lastError: reason };
    }
    log.warn({ ...about, reason }, 'email will be retried');
    return { nextAttemptAt: now + retryDelay(email.attempts), lastError: reason };
  }

  /** Returns the reason to store, and reports a refusal that affects every email. */
  function reasonFor(result: Exclude<SendResult, { outcome: 'sent' }>): string {
    const refusal = 'refuses' in result && result.refuses && refusals[result.refuses];
    if (!refusal) return result.reason;
    health.report(healthSource, refusal.problem, result.reason);
    return `${refusal.reason}: ${result.reason}`;
  }

  async function sendAllDue(): Promise<void> {
    do {
      hasChanges = false;
      for (const email of await storeAndLease()) {
        sending.add(email.id);
        void send(email);
      }
      if (sending.size > 0 && !hasChanges) await nextChange();
    } while (hasChanges || sending.size > 0);
  }

  function notify(): void {
    hasChanges = true;
    resolveChange?.();
  }

  /** Waits one more turn of the event loop, to handle simultaneous changes together. */
  async function nextChange(): Promise<void> {
    await new Promise<void>((resolve) => {
      resolveChange = resolve;
    });
    await setImmediate();
  }

  function wakeWhenNextIsDue(): void {
    const next = db
      .select({ at: min(outbox.nextAttemptAt) })
      .from(outbox)
      .where(eq(outbox.state, 'queued'))
      .get();
    const at = Math.max(next?.at ?? Number.POSITIVE_INFINITY, pausedUntil);
    wakeIn(Math.min(Math.max(at - clock.now(), 50), pollMilliseconds));
  }

  function wakeIn(milliseconds: number): void {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(wake, milliseconds).unref();
  }

  function wake(): void {
    if (running) notify();
    else if (!isStopped) running = work();
  }

  async function work(): Promise<void> {
    try {
      await sendAllDue();
    } catch (error) {
      if (storage.note(error) === null) log.error({ err: error }, 'could not process the outbox');
      running = undefined;
      wakeIn(pollMilliseconds);
      return;
    }
    running = undefined;
    try {
      wakeWhenNextIsDue();
    } catch (error) {
      if (storage.note(error) === null) {
        log.error({ err: error }, 'could not schedule the next outbox run');
      }
      wakeIn(pollMilliseconds);
    }
  }

  return {
    wake,

    /** Resolves when every due email has been tried. */
    async drain(): Promise<void> {
      wake();
      await running;
    },

    /** Waits a few seconds for emails that are being sent. The next start sends the rest again. */
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      const deadline = setTimeout(() => aborted.abort(), stopMilliseconds);
      await running;
      clearTimeout(deadline);
    },

    depth(): { queued: number; dead: number } {
      const rows = db
        .select({ state: outbox.state, emails: count() })
        .from(outbox)
        .where(inArray(outbox.state, ['queued', 'dead']))
        .groupBy(outbox.state)
        .all();
      const of = (state: string): number => rows.find((row) => row.state === state)?.emails ?? 0;
      return { queued: of('queued'), dead: of('dead') };
    },
  };
}
