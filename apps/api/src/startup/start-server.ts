import { setTimeout as sleep } from 'node:timers/promises';
import { isTransient, storageFailureOf } from '@app/db/storage-failure';
import { storageProblems } from '../server/health/storage.ts';
import { startFullServer } from './full-server.ts';
import { hasPublishedSite } from './publishing.ts';
import { startReadOnlyServer } from './read-only-server.ts';
import type { RunningServer, ServerParts } from './server-parts.ts';
import { isWaitedFor, toStartupError } from './storage-errors.ts';

/** For a locked database, which may be free in a moment. */
const lockedRetryMilliseconds = 100;
/** For a database server that does not respond, or a database that is being moved. */
const laterRetryMilliseconds = 2_000;

/**
 * Starts the server. If the disk is not writable but a site is published, starts a read-only server
 * instead, which becomes a full one as soon as possible.
 * @throws {StartupError} for failures that the operator can fix
 */
export async function startServer(parts: ServerParts): Promise<RunningServer> {
  try {
    return await startWhenUnlocked(parts);
  } catch (error) {
    throw toStartupError(error, parts.env.dataDir);
  }
}

async function startWhenUnlocked(parts: ServerParts): Promise<RunningServer> {
  for (;;) {
    try {
      return await startFullServer(parts);
    } catch (error) {
      const failure = storageFailureOf(error);
      if (failure === null || !isWaitedFor(failure)) {
        const { dataDir, databaseServer } = parts.env;
        // With a shared database, other servers write, so a copy would be outdated.
        const canRead = isTransient(failure) && !databaseServer && hasPublishedSite(dataDir);
        if (failure === null || !canRead) throw error;
        return startReadOnlyServer(parts, failure);
      }
      // Not with a read-only server: another process may be writing to the database that it copies.
      parts.health.report('storage', storageProblems[failure]);
      await sleep(failure === 'busy' ? lockedRetryMilliseconds : laterRetryMilliseconds);
    }
  }
}
