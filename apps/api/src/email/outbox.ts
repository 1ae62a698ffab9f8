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

/** A mail before it has a row. */
export interface NewMail {
  kind: string;
  to: string;
  replyTo?: string;
  subject: string;
  /** What its template shows. */
  props: Record<string, unknown>;
  headers?: Record<string, string>;
}

/** How many mails are with the provider at a time. */
const maxConcurrent = 8;

/** How long a sender has before another may take the mail: longer than any transport's time-out. */
const leaseMilliseconds = 120_000;

/**
 * How often the table is looked at when nothing is known to be due: mails may also be put back
 * into it from outside, by the command line.
 */
const pollMilliseconds = 60_000;

/** A provider that asks for a longer rest is asked again after this one. */
const longestRest = 3_600_000;

/** How long a stop waits for mails that are with the provider, in milliseconds. */
const stopMilliseconds = 4_000;

/**
 * Promises a mail, in the transaction of what causes it. Call `wake()` on the outbox once that is
 * committed.
 */
export function enqueueMail(tx: Transaction, now: number, mail: NewMail): void {
  tx.insert(outbox).values(mailRow(mail, now)).run();
}

/** The row of a new mail. */
export const mailRow = ({ replyTo, headers, ...mail }: NewMail, now: number): OutboxMail => ({
  ...mail,
  // One line: people's names are in it, and Resend refuses a mail whose subject breaks.
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

/** Props without the tokens of links: a reader of the table, or of a copy of it, could use them. */
const withoutTokens = (props: OutboxMail['props']): OutboxMail['props'] =>
  JSON.parse(JSON.stringify(props).replaceAll(/([?&]token=)[\w-]+/g, '$1'));

/** A mail that was tried, and what its row has to say of it. */
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
  /** Whether the rows of mails that are out keep their links as they were: for developers, who follow them. */
  keepLinks: boolean;
}

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * Sends what the outbox table promises, a few mails at a time, apart from any
 * request. A mail is taken by moving its next attempt past the lease, so a crash
 * while sending only delays it; it is sent again under the same id, which the
 * transport makes known to the provider.
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
  /** Ids of the mails that are being sent, or were and their rows do not say so yet. */
  const underway = new Set<string>();
  let settled: Settled[] = [];
  let restsUntil = 0;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  /** Aborted when a stop waits no longer for what is with the provider. */
  const abandoned = new AbortController();
  /** Whether there is something to do that the last round did not know of, and who waits for it. */
  let hasNews = false;
  let tellNews: (() => void) | undefined;

  /** Takes due mails, but none that is underway: its lease may be over, its sender is not. */
  const take = (tx: Transaction, now: number, most: number): OutboxMail[] => {
    const due = tx
      .select({ id: outbox.id })
      .from(outbox)
      .where(
        and(
          eq(outbox.state, 'queued'),
          // What is further away than any failure puts it was put there by a clock that was ahead.
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

  /** Writes what became of mails, and takes others in their place: one flush to disk for all. */
  async function settleAndTake(): Promise<OutboxMail[]> {
    const now = clock.now();
    const done = [...settled];
    // A mail that is taken and not sent would wait for its lease to end.
    const rests = restsUntil > now && restsUntil <= now + longestRest;
    const mayTake = !isStopped && !rests;
    const most = mayTake ? maxConcurrent - underway.size + done.length : 0;
    // Each request that promises a mail comes by here: it costs nothing while all hands are full.
    if (most === 0 && done.length === 0) return [];
    const taken = await sharedCommit(db, (tx) => {
      for (const { id, change } of done) {
        tx.update(outbox).set(change).where(eq(outbox.id, id)).run();
      }
      return take(tx, now, most);
    });
    // Only now: what could not be written is written the next time.
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

  /** The transport's answer, or a failure when a stop waits for it no longer. */
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

  /** What a mail's row says from now on, which the log says, too. */
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
      // No attempt was made of it that would say anything about this mail.
      return { attempts: mail.attempts - 1, nextAttemptAt: now + rest, lastError: reason };
    }
    // What a stop abandons was not tried to its end, so it is no reason to give the mail up.
    const isGivenUp = isOverdue(mail, now) && !abandoned.signal.aborted;
    if (result.outcome === 'refused' || isGivenUp) {
      log.error({ ...about, reason }, 'email failed permanently');
      return { state: 'dead', lastError: reason };
    }
    log.warn({ ...about, reason }, 'email will be retried');
    return { nextAttemptAt: now + retryDelay(mail.attempts), lastError: reason };
  }

  /** Sends what is due until nothing is, and nothing is underway. */
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

  /** Resolves soon after a mail is settled or the outbox is woken: what comes together is done together. */
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

  /** Looks for due mails soon, without waiting for them. */
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
    // Before anything is awaited: who wakes us from here on starts a new round.
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

    /** Resolves when every mail that is due now was tried. */
    async drain(): Promise<void> {
      wake();
      await running;
    },

    /**
     * Stops after the mails that are being sent, which have a few seconds. One that takes longer
     * is left: it goes out again under the same id.
     */
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      const deadline = setTimeout(() => abandoned.abort(), stopMilliseconds);
      await running;
      clearTimeout(deadline);
    },

    /** How many mails wait, and how many were given up. */
    async depth(): Promise<{ queued: number; dead: number }> {
      const rows = await db
        .select({ state: outbox.state, mails: count() })
        .from(outbox)
        // Sent ones are many, and nobody asks for their number.
        .where(inArray(outbox.state, ['queued', 'dead']))
        .groupBy(outbox.state);
      const of = (state: string): number => rows.find((row) => row.state === state)?.mails ?? 0;
      return { queued: of('queued'), dead: of('dead') };
    },
  };
}
