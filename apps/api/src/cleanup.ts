import { deleteUnfinished } from './accounts/google/cleanup.ts';
import type { Deps } from './deps.ts';
import { deleteSent } from './email/cleanup.ts';
import { deleteUnconfirmed } from './forms/newsletter/newsletter.ts';
import { deleteExpired } from './forms/submit/cleanup.ts';

/** A start is done first; but a server that is restarted often gets to its sweeps, too. */
const firstMilliseconds = 5_000;
const hour = 60 * 60 * 1_000;

/** What is over and forgotten, by name. */
const sweeps: readonly [name: string, sweep: (deps: Deps) => Promise<void>][] = [
  ['sessions', ({ sessions }) => sessions.deleteExpired()],
  ['submissions', deleteExpired],
  ['newsletter', deleteUnconfirmed],
  ['emails', deleteSent],
  ['avatars', ({ avatars }) => avatars.sweep()],
  ['google', deleteUnfinished],
];

/**
 * Deletes what is over, soon after the start and then every hour: one sweep after the other, and
 * none stops another by failing.
 * @returns how to end it
 */
export function startSweeps(deps: Deps): () => void {
  let timer: NodeJS.Timeout;
  let isStopped = false;

  async function sweepAll(): Promise<void> {
    for (const [name, sweep] of sweeps) {
      if (isStopped) return;
      try {
        await sweep(deps);
      } catch (error) {
        if (deps.storage.note(error) === null) deps.log.error({ err: error, sweep: name }, 'sweep');
      }
    }
    if (!isStopped) timer = setTimeout(sweepAll, hour).unref();
  }

  timer = setTimeout(sweepAll, firstMilliseconds).unref();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
