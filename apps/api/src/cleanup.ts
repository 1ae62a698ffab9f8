import type { Deps } from './deps.ts';
import { features } from './features.ts';
import { longestLease, takeLease } from './leases.ts';
import { newId } from './tokens.ts';

/** Late enough for the start to be done, but early enough for servers that restart often. */
const firstMilliseconds = 5_000;
const hour = longestLease;
/** Longer than any cleanup takes. If the server stops, another one takes over after this time. */
const leaseMilliseconds = 10 * 60 * 1_000;

type Kind = 'cleanups' | 'fileCleanups';

/** Cleans up after the start and then every hour. @returns a function that stops this */
export function startCleanup(deps: Deps): () => void {
  const { db, storage, log, settings } = deps;
  const timers = new Map<Kind, NodeJS.Timeout>();
  const holder = newId();
  let isStopped = false;

  /** @returns 0, or the milliseconds for which another server cleans up the database */
  const lease = async (milliseconds: number): Promise<number> =>
    settings.databaseServer ? await takeLease(db, { name: 'cleanup', holder, milliseconds }) : 0;

  /** @param before runs before each cleanup, and returns the milliseconds to wait, or 0 */
  async function runAll(kind: Kind, before: () => Promise<number>): Promise<number> {
    for (const feature of features) {
      for (const cleanup of feature[kind] ?? []) {
        if (isStopped) return 0;
        const wait = await before();
        if (wait > 0) return wait;
        try {
          await cleanup(deps);
        } catch (error) {
          note(error, feature.name);
        }
      }
    }
    return 0;
  }

  async function cleanUpDatabase(): Promise<number> {
    const wait = await runAll('cleanups', () => lease(leaseMilliseconds));
    // Keep the lease, so that no other server cleans up again in this hour.
    return wait || (await lease(hour)) || hour;
  }

  async function cleanUpFiles(): Promise<number> {
    await runAll('fileCleanups', async () => 0);
    return hour;
  }

  function note(error: unknown, feature?: string): void {
    if (storage.note(error) === null) log.error({ err: error, feature }, 'cleanup failed');
  }

  function schedule(kind: Kind, work: () => Promise<number>, milliseconds: number): void {
    if (isStopped) return;
    const run = async (): Promise<void> => {
      const wait = await work().catch((error: unknown) => {
        note(error);
        return hour;
      });
      schedule(kind, work, wait);
    };
    timers.set(kind, setTimeout(run, milliseconds).unref());
  }

  schedule('cleanups', cleanUpDatabase, firstMilliseconds);
  schedule('fileCleanups', cleanUpFiles, firstMilliseconds);
  return () => {
    isStopped = true;
    for (const timer of timers.values()) clearTimeout(timer);
  };
}
