import { join } from 'node:path';
import { close } from '@app/db/open';
import { openCopy } from '@app/db/open-copy';
import { isTransient, type StorageFailure, storageFailureOf } from '@app/db/storage-failure';
import { createApp } from '../app.ts';
import { createDeps, serverSecrets } from '../create-deps.ts';
import { ownDatabaseFile } from '../database-files.ts';
import { copyStorage, storageProblems } from '../server/health/storage.ts';
import { startFullServer } from './full-server.ts';
import type { RunningServer, ServerParts } from './server-parts.ts';
import { toStartupError } from './storage-errors.ts';

const retryMilliseconds = 5_000;

/**
 * Serves the published files and reads from a copy of the database. Requests that write get a 503.
 * Becomes a full server as soon as the disk is writable.
 */
export function startReadOnlyServer(parts: ServerParts, failure: StorageFailure): RunningServer {
  const { env, log, siteFiles, health, httpServer } = parts;
  health.report('storage', storageProblems[failure]);
  const db = openCopy(join(env.dataDir, ownDatabaseFile), parts.migrationsFolder, serverSecrets);
  const deps = createDeps(parts, db, copyStorage(failure));
  httpServer.open(siteFiles, createApp(deps));

  let fullServer: RunningServer | undefined;
  let starting: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function closeCopy(): Promise<void> {
    await deps.publisher.stop();
    deps.bucket?.stop();
    close(db);
  }
  async function tryFullServer(): Promise<void> {
    try {
      fullServer = await startFullServer(parts);
      log.info('the disk is writable again: serving everything');
      // Later, because requests in progress still use the copy.
      setTimeout(() => void closeCopy(), retryMilliseconds).unref();
    } catch (error) {
      if (!isTransient(storageFailureOf(error))) {
        health.report('storage', toStartupError(error, env.dataDir).message);
        log.error({ err: error }, 'the server cannot switch to writing');
      }
      scheduleRetry();
    }
  }
  function scheduleRetry(): void {
    timer = setTimeout(() => {
      starting = tryFullServer();
    }, retryMilliseconds).unref();
  }

  scheduleRetry();
  return {
    async stop() {
      clearTimeout(timer);
      await starting;
      if (fullServer) return fullServer.stop();
      await httpServer.close();
      await closeCopy();
    },
  };
}
