import { setImmediate } from 'node:timers/promises';
import type { Database, Transaction } from '@app/db/open';
import { outbox } from '@app/db/schema/email';
import { sharedCommit } from '@app/db/shared-commit';
import { and, asc, count, eq, gt, inArray, lte, min, notInArray, or, sql } from 'drizzle-orm';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Storage } from '../server/health/storage.ts';
import { newId } from '../tokens.ts';
import { isOverdue, maxDelay, retryDelay } from './backoff.ts';
import type { RenderEmail } from './render.tsx';
import { findSuppression } from './suppressions.ts';
import { type MailTransport, type OutboxMail, reasonOf, type SendResult } from './transport.ts';

export interface NewMail {
  kind: string;
  to: string;
  replyTo?: string;
  subject: string;
  /** For its template. */
  props: Record<string, unknown>;
  headers?: Record<string, string>;
}

const maxConcurrent = 8;

/** After this time an email may be sent again: longer than any transport's timeout. */
const leaseMilliseconds = 120_000;

/** The command line adds emails without waking the outbox. */
const pollMilliseconds = 60_000;

/** Limits Retry-After. */
const longestRest = 3_600_000;

const stopMilliseconds = 4_000;

/**
 * Enqueues an email in the transaction of its cause. Call `wake()` on the outbox after the commit.
 */
export function enqueueMail(tx: Transaction, now: number, mail: NewMail): void {
  tx.insert(outbox).values(mailRow(mail, now)).run();
}

export const mailRow = ({ replyTo, headers, ...mail }: NewMail, now: number): OutboxMail => ({
  ...mail,
  // Resend rejects subjects with line breaks.
  subject: mail.subject.replace(/\s+/g, ' '),
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

/** Without the tokens of links, which readers of the table or of a backup could use. */
const withoutTokens = (props: OutboxMail['props']): OutboxMail['props'] =>
  JSON.parse(JSON.stringify(props).replaceAll(/([?&]token=)[\w-]+/g, '$1'));

/** The result of an attempt, not yet stored. */
interface Settled {
  id: string;
  change: Partial<OutboxMail>;
}

interface OutboxParts {
  db: Database;
  clock: Clock;
  log: Log;
  storage: Pick<Storage, 'note'>;
  transport: MailTransport;
  renderEmail: RenderEmail;
  /** For development: does not remove links from sent emails. */
  keepLinks: boolean;
}

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * Sends queued emails, a few at a time. Sending leases an email by moving its next attempt into the
 * future, so after a crash it is sent again with the same id, which transports use as idempotency
 * key.
 */
export function createOutbox({
  db,
  clock,
  log,
  storage,
  transport,
  renderEmail,
  keepLinks,
}: OutboxParts) {
  /** Ids of emails that are being sent, or whose results are not stored yet. */
  const underway = new Set<string>();
  let settled: Settled[] = [];
  let restsUntil = 0;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  /** Aborted when a stop no longer waits for the provider. */
  const abandoned = new AbortController();
  let hasNews = false;
  let tellNews: (() => void) | undefined;

  /** Leases due emails. Excludes those being sent, whose lease may have ended. */
  const take = (tx: Transaction, now: number, most: number): OutboxMail[] => {
    const due = tx
      .select({ id: outbox.id })
      .from(outbox)
      .where(
        and(
          eq(outbox.state, 'queued'),
          // Further away than any retry: scheduled while the clock was ahead.
          or(lte(outbox.nextAttemptAt, now), gt(outbox.nextAttemptAt, now + maxDelay)),
          notInArray(outbox.id, [...underway]),
        ),
      )
      .orderBy(asc(outbox.nextAttemptAt))
      .limit(most);
    return tx
      .update(outbox)
      .set({ attempts: sql`${outbox.attempts} + 1`, nextAttemptAt: now + leaseMilliseconds })
      .where(inArray(outbox.id, due))
      .returning()
      .all();
  };

  /** Stores results and leases more emails in one commit. */
  async function settleAndTake(): Promise<OutboxMail[]> {
    const now = clock.now();
    const done = [...settled];
    // A leased email would have to wait for its lease to end.
    const rests = restsUntil > now && restsUntil <= now + longestRest;
    const mayTake = !isStopped && !rests;
    const most = mayTake ? maxConcurrent - underway.size + done.length : 0;
    // Runs for every email that is enqueued.
    if (most === 0 && done.length === 0) return [];
    const taken = await sharedCommit(db, (tx) => {
      for (const { id, change } of done) {
        tx.update(outbox).set(change).where(eq(outbox.id, id)).run();
      }
      return take(tx, now, most);
    });
    // Results that could not be stored are stored the next time.
    settled = settled.slice(done.length);
    for (const { id } of done) underway.delete(id);
    return taken;
  }

  async function handOver(mail: OutboxMail): Promise<SendResult> {
    try {
      const suppression = await findSuppression(db, mail.to);
      if (suppression) return { outcome: 'refused', reason: `suppressed: ${suppression.reason}` };
      const { props, ...rest } = mail;
      const bodies = await renderEmail(mail);
      if ('problem' in bodies) {
        return { outcome: 'refused', reason: `cannot be rendered: ${bodies.problem}` };
      }
      return await unlessAbandoned(transport.send({ ...rest, ...bodies }));
    } catch (error) {
      log.error({ mail: mail.id, err: error }, 'sending an email failed unexpectedly');
      return { outcome: 'failed', reason: reasonOf(error) };
    }
  }

  function unlessAbandoned(sending: Promise<SendResult>): Promise<SendResult> {
    const { signal } = abandoned;
    return new Promise((resolve, reject) => {
      const leave = () =>
        resolve({ outcome: 'failed', reason: 'the server stopped before an answer came' });
      signal.addEventListener('abort', leave);
      sending.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    });
  }

  async function send(mail: OutboxMail): Promise<void> {
    const result = await handOver(mail);
    settled.push({ id: mail.id, change: changeAfter(mail, result) });
    tell();
  }

  /** The row's changes after an attempt. Logs the result. */
  function changeAfter(mail: OutboxMail, result: SendResult): Settled['change'] {
    const now = clock.now();
    const about = { mail: mail.id, kind: mail.kind, attempts: mail.attempts };
    if (result.outcome === 'sent') {
      log.info({ ...about, ...result.details }, 'email sent');
      const props = keepLinks ? mail.props : withoutTokens(mail.props);
      return { state: 'sent', sentAt: now, lastError: null, props };
    }
    const { reason } = result;
    if (result.outcome === 'held') {
      const rest = Math.min(result.retryAfter, longestRest);
      restsUntil = Math.max(restsUntil, now + rest);
      log.warn({ ...about, reason, milliseconds: rest }, 'email provider asked to wait');
      // Does not count as an attempt.
      return { attempts: mail.attempts - 1, nextAttemptAt: now + rest, lastError: reason };
    }
    // An attempt that a stop interrupted does not count.
    const isGivenUp = isOverdue(mail, now) && !abandoned.signal.aborted;
    if (result.outcome === 'refused' || isGivenUp) {
      log.error({ ...about, reason }, 'email failed permanently');
      return { state: 'dead', lastError: reason };
    }
    log.warn({ ...about, reason }, 'email will be retried');
    return { nextAttemptAt: now + retryDelay(mail.attempts), lastError: reason };
  }

  async function sendAllDue(): Promise<void> {
    do {
      hasNews = false;
      for (const mail of await settleAndTake()) {
        underway.add(mail.id);
        void send(mail);
      }
      if (underway.size > 0 && !hasNews) await news();
    } while (hasNews || underway.size > 0);
  }

  function tell(): void {
    hasNews = true;
    tellNews?.();
  }

  /**
   * Resolves when there is something to do. Waits a turn, to handle simultaneous changes together.
   */
  async function news(): Promise<void> {
    await new Promise<void>((resolve) => {
      tellNews = resolve;
    });
    await setImmediate();
  }

  async function wakeWhenNextIsDue(): Promise<void> {
    const [next] = await db
      .select({ at: min(outbox.nextAttemptAt) })
      .from(outbox)
      .where(eq(outbox.state, 'queued'));
    const at = Math.max(next?.at ?? Number.POSITIVE_INFINITY, restsUntil);
    wakeIn(Math.min(Math.max(at - clock.now(), 50), pollMilliseconds));
  }

  function wakeIn(milliseconds: number): void {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(wake, milliseconds).unref();
  }

  function wake(): void {
    if (running) tell();
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
    // Before the first await, so that wake() starts a new run from here on.
    running = undefined;
    await wakeWhenNextIsDue().catch((error: unknown) => {
      if (storage.note(error) === null) {
        log.error({ err: error }, 'could not schedule the next outbox run');
      }
      wakeIn(pollMilliseconds);
    });
  }

  return {
    wake,

    /** Resolves when every due email has been tried. */
    async drain(): Promise<void> {
      wake();
      await running;
    },

    /** Waits a few seconds for emails being sent. Others are sent again by the next start. */
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      const deadline = setTimeout(() => abandoned.abort(), stopMilliseconds);
      await running;
      clearTimeout(deadline);
    },

    async depth(): Promise<{ queued: number; dead: number }> {
      const rows = await db
        .select({ state: outbox.state, mails: count() })
        .from(outbox)
        .where(inArray(outbox.state, ['queued', 'dead']))
        .groupBy(outbox.state);
      const of = (state: string): number => rows.find((row) => row.state === state)?.mails ?? 0;
      return { queued: of('queued'), dead: of('dead') };
    },
  };
}
