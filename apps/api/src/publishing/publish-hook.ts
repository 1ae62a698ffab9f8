import type { Database } from '@app/db/open';
import { writeTransaction } from '@app/db/write-transaction';
import pLimit from 'p-limit';
import { Webhook } from 'standardwebhooks';
import { type Clock, toIso } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Health } from '../server/health/health.ts';
import { deleteMessage, type HookMessage, nextMessage, storeChanges } from './hook-changes.ts';
import { retryDelay } from './jobs.ts';

export interface PublishHookSettings {
  url: string;
  /** `whsec_` followed by base64. */
  secret: string;
}

/** Collects the changes of one save, which arrive in several jobs. */
const coalesceMilliseconds = 200;

const timeoutMilliseconds = 10_000;

/** After this many, health reports the hook. */
const maxFailures = 3;

const healthSource = 'publish hook';

interface PublishHookParts {
  db: Database;
  clock: Clock;
  log: Log;
  health: Health;
  settings: { publishHook: PublishHookSettings | undefined };
}

/** For tests. */
interface Delays {
  /** Delay in milliseconds after so many failures. */
  retry?: (failures: number) => number;
  timeout?: number;
}

export type PublishHook = ReturnType<typeof createPublishHook>;

/**
 * Sends the changed paths to a URL, so that a CDN can be purged. Requests are signed
 * (standardwebhooks.com), sent one at a time, and repeated until the response is a 2xx. Changes are
 * stored in the database before their publish jobs count as done, so a crash loses none.
 */
export function createPublishHook(
  { db, clock, log, health, settings: { publishHook: target } }: PublishHookParts,
  { retry = retryDelay, timeout = timeoutMilliseconds }: Delays = {},
) {
  const changed = new Set<string>();
  const storing = pLimit(1);
  const stopping = new AbortController();
  let failures = 0;
  let waitUntil = 0;
  let isStarted = false;
  let working: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function wakeIn(milliseconds: number): void {
    if (!isStarted || stopping.signal.aborted || timer) return;
    const wait = Math.max(milliseconds, waitUntil - performance.now());
    timer = setTimeout(() => {
      timer = undefined;
      working ??= work().finally(() => {
        working = undefined;
      });
    }, wait).unref();
  }

  /** Also waits for changes that are being stored. */
  const store = (): Promise<void> =>
    storing(async () => {
      if (changed.size === 0) return;
      const paths = new Set(changed);
      changed.clear();
      try {
        await writeTransaction(db, (tx) => storeChanges(tx, clock.now(), paths));
      } catch (error) {
        for (const path of paths) changed.add(path);
        throw error;
      }
    });

  async function work(): Promise<void> {
    try {
      for (;;) {
        await store();
        const message = await writeTransaction(db, nextMessage);
        if (!message || !target || stopping.signal.aborted) return;
        const problem = await send(message, target);
        if (stopping.signal.aborted) return;
        if (problem !== null) return fail(message, problem);
        await writeTransaction(db, (tx) => deleteMessage(tx, message));
        failures = 0;
        health.clear(healthSource);
        log.info({ message: message.id, paths: message.paths.length }, 'publish hook called');
      }
    } catch (error) {
      log.error({ err: error }, 'could not store changes for the publish hook');
      pauseAfterFailure();
    } finally {
      // For changes that arrived in the meantime.
      if (changed.size > 0) queueMicrotask(() => wakeIn(coalesceMilliseconds));
    }
  }

  function fail({ id }: HookMessage, reason: string): void {
    log.warn({ message: id, reason, failures: failures + 1 }, 'publish hook failed');
    pauseAfterFailure();
    if (failures >= maxFailures) {
      health.report(healthSource, 'The publish hook does not answer, and will be called again.');
    }
  }

  function pauseAfterFailure(): void {
    failures += 1;
    waitUntil = performance.now() + retry(failures);
    wakeIn(0);
  }

  /** @returns why it failed, or null. Never throws. */
  async function send(
    { id, paths, time }: HookMessage,
    { url, secret }: PublishHookSettings,
  ): Promise<string | null> {
    const body = JSON.stringify({ id, time: toIso(time), paths });
    const sentAt = new Date(clock.now());
    try {
      const response = await fetch(url, {
        method: 'POST',
        // A redirect could lead anywhere.
        redirect: 'manual',
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(timeout)]),
        headers: {
          'Content-Type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
          'webhook-signature': new Webhook(secret).sign(id, sentAt, body),
        },
        body,
      });
      await response.body?.cancel();
      return response.ok ? null : `status ${response.status}`;
    } catch (error) {
      const { cause, message } = error as Error;
      return cause instanceof Error ? `${message}: ${cause.message}` : message;
    }
  }

  return {
    /** Files at these paths were written or removed; `everything` for all. */
    note(paths: Iterable<string>): void {
      if (!target) return;
      for (const path of paths) changed.add(path);
      if (changed.size > 0) wakeIn(coalesceMilliseconds);
    },

    /** Stores the noted changes. @throws when the database cannot be written */
    store,

    /** Also sends what an earlier process did not deliver. */
    start(): void {
      if (!target) return;
      isStarted = true;
      wakeIn(0);
    },

    /** Stores undelivered changes for the next start. Never throws. */
    async stop(): Promise<void> {
      stopping.abort();
      clearTimeout(timer);
      await working;
      try {
        await store();
      } catch (error) {
        log.error({ err: error }, 'could not store changes for the publish hook');
      }
    },
  };
}
