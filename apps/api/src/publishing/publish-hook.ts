import type { Database } from '@app/db/open';
import { Webhook } from 'standardwebhooks';
import { type Clock, toIso } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Health } from '../server/health/health.ts';
import {
  type HookMessage,
  type HookPosition,
  nextMessage,
  readPosition,
  writePosition,
} from './hook-messages.ts';
import { retryDelay } from './log.ts';
import type { Site } from './site.ts';

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
  site: Pick<Site, 'release' | 'origin'>;
  /** Up to this entry of the log, readers get what it names. */
  publishedSeq: () => number;
  dataDir: string;
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
 * (standardwebhooks.com), sent one at a time, and repeated until the response is a 2xx. It reads the
 * log of changes up to what is published, and remembers how far in a file, so a crash loses none.
 */
export function createPublishHook(
  parts: PublishHookParts,
  { retry = retryDelay, timeout = timeoutMilliseconds }: Delays = {},
) {
  const { clock, log, health, dataDir } = parts;
  const target = parts.settings.publishHook;
  const stopping = new AbortController();
  let position: HookPosition | null = null;
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

  async function work(): Promise<void> {
    try {
      for (;;) {
        position ??= await readPosition(dataDir);
        const message = nextMessage(parts, position, clock.now());
        if (!message || !target || stopping.signal.aborted) return;
        const problem = await send(message, target);
        if (stopping.signal.aborted) return;
        if (problem !== null) return fail(message, problem);
        position = message.position;
        await writePosition(dataDir, position);
        failures = 0;
        health.clear(healthSource);
        log.info({ message: message.id, paths: message.paths.length }, 'publish hook called');
      }
    } catch (error) {
      log.error({ err: error }, 'could not read or record what the publish hook has sent');
      pauseAfterFailure();
    }
  }

  function fail({ id }: Pick<HookMessage, 'id'>, reason: string): void {
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
    /** Sends what has been published since the last message. */
    wake(): void {
      if (target) wakeIn(coalesceMilliseconds);
    },

    /** Also sends what an earlier process did not deliver. */
    start(): void {
      if (!target) return;
      isStarted = true;
      wakeIn(0);
    },

    async stop(): Promise<void> {
      stopping.abort();
      clearTimeout(timer);
      await working;
    },
  };
}
