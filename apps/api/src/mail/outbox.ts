import type { Database } from '@app/db/open';
import { outbox } from '@app/db/schema/mail';
import { and, asc, count, eq, lte, min, sql } from 'drizzle-orm';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { newId } from '../tokens.ts';
import { isOverdue, retryDelay } from './backoff.ts';
import type { MailTransport, OutgoingMail } from './transport.ts';

/** A mail before it has a row. */
export interface NewMail {
  kind: string;
  to: string;
  replyTo?: string;
  subject: string;
  text: string;
  html: string;
}

/** How long a sender has before another may take the mail: longer than any transport's time-out. */
const leaseMilliseconds = 120_000;

/**
 * The statement that promises a mail, for the `atomic` of what causes it. Call
 * `wake()` on the outbox once that is committed.
 */
export const insertMail = (db: Database, now: number, { replyTo, ...mail }: NewMail) =>
  db.insert(outbox).values({
    ...mail,
    // One line: people's names are in it, and Resend refuses a mail whose subject breaks.
    subject: mail.subject.replace(/\s+/g, ' '),
    id: newId(),
    replyTo: replyTo ?? null,
    nextAttemptAt: now,
    createdAt: now,
  });

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * Sends what the outbox table promises, one mail at a time, apart from any
 * request. A mail is taken by moving its next attempt past the lease, so a crash
 * while sending only delays it; it is sent again under the same id, which the
 * transport makes known to the provider.
 */
export function createOutbox(db: Database, clock: Clock, log: Log, transport: MailTransport) {
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let isWokenWhileRunning = false;

  async function take(): Promise<OutgoingMail | undefined> {
    const now = clock.now();
    const due = db
      .select({ id: outbox.id })
      .from(outbox)
      .where(and(eq(outbox.state, 'queued'), lte(outbox.nextAttemptAt, now)))
      .orderBy(asc(outbox.nextAttemptAt))
      .limit(1);
    const [mail] = await db
      .update(outbox)
      .set({ attempts: sql`${outbox.attempts} + 1`, nextAttemptAt: now + leaseMilliseconds })
      .where(eq(outbox.id, sql`(${due})`))
      .returning();
    return mail;
  }

  async function send(mail: OutgoingMail): Promise<void> {
    const result = await transport.send(mail);
    const now = clock.now();
    const about = { mail: mail.id, kind: mail.kind, attempts: mail.attempts };
    if (result.outcome === 'sent') {
      await db
        .update(outbox)
        .set({ state: 'sent', sentAt: now, lastError: null })
        .where(eq(outbox.id, mail.id));
      log.info({ ...about, ...result.details }, 'mail sent');
      return;
    }
    const isDead = result.outcome === 'refused' || isOverdue(mail.createdAt, now);
    await db
      .update(outbox)
      .set({
        state: isDead ? 'dead' : 'queued',
        lastError: result.reason,
        nextAttemptAt: now + retryDelay(mail.attempts),
      })
      .where(eq(outbox.id, mail.id));
    if (isDead) log.error({ ...about, reason: result.reason }, 'mail given up');
    else log.warn({ ...about, reason: result.reason }, 'mail will be tried again');
  }

  async function sendAllDue(): Promise<void> {
    // Asked before a mail is taken: one that is taken and not sent would wait for its lease to end.
    while (!isStopped) {
      const mail = await take();
      if (!mail) return;
      await send(mail);
    }
  }

  async function wakeWhenNextIsDue(): Promise<void> {
    const [next] = await db
      .select({ at: min(outbox.nextAttemptAt) })
      .from(outbox)
      .where(eq(outbox.state, 'queued'));
    if (isStopped || next?.at == null) return;
    clearTimeout(timer);
    // Longer waits than setTimeout's 24 days do not occur; an hour also follows a changed clock.
    const wait = Math.min(Math.max(next.at - clock.now(), 50), 3_600_000);
    timer = setTimeout(wake, wait).unref();
  }

  /** Looks for due mails soon, without waiting for them. */
  function wake(): void {
    if (running) isWokenWhileRunning = true;
    else if (!isStopped) running = work();
  }

  async function work(): Promise<void> {
    try {
      do {
        isWokenWhileRunning = false;
        await sendAllDue();
      } while (isWokenWhileRunning && !isStopped);
    } catch (error) {
      log.error({ err: error }, 'the outbox could not be worked off');
    }
    // Before anything is awaited: who wakes us from here on starts a new round.
    running = undefined;
    await wakeWhenNextIsDue().catch((error: unknown) => {
      log.error({ err: error }, 'the outbox does not know when to go on');
      timer = setTimeout(wake, 60_000).unref();
    });
  }

  return {
    wake,

    /** Resolves when every mail that is due now was tried. */
    async drain(): Promise<void> {
      wake();
      await running;
    },

    /** Stops after the mail that is being sent. */
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },

    /** How many mails wait, and how many were given up. */
    async depth(): Promise<{ queued: number; dead: number }> {
      const rows = await db
        .select({ state: outbox.state, mails: count() })
        .from(outbox)
        .groupBy(outbox.state);
      const of = (state: string): number => rows.find((row) => row.state === state)?.mails ?? 0;
      return { queued: of('queued'), dead: of('dead') };
    },
  };
}
