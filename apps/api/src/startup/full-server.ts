import { isTransient } from '@app/db/storage-failure';
import { createApp } from '../app.ts';
import { startCleanup } from '../cleanup.ts';
import { createDeps } from '../create-deps.ts';
import type { Deps } from '../deps.ts';
import { createStorage } from '../server/health/storage.ts';
import { restrictDataFolder } from '../storage/data-folder/permissions.ts';
import { lockDataFolder, makeDataFolder } from './data-folder.ts';
import { openServerDatabase } from './database.ts';
import { startPublishing } from './publishing.ts';
import type { RunningServer, ServerParts } from './server-parts.ts';

/** @throws StartupError, and errors of the disk or the database; see `storageFailureOf` */
export async function startFullServer(parts: ServerParts): Promise<RunningServer> {
  const { env, log, siteFiles, health, httpServer } = parts;
  const { dataDir, siteReaders } = env;
  makeDataFolder(dataDir);
  const releases: (() => void | Promise<void>)[] = [lockDataFolder(dataDir)];
  const releaseAll = async () => {
    for (const release of releases.reverse()) await release();
  };
  try {
    restrictDataFolder(dataDir, siteReaders, log);
    const database = await openServerDatabase(parts);
    releases.push(database.close);
    const { db, clock } = database;
    const storage = createStorage({ db, dataDir, clock, health, log });
    const deps = createDeps(parts, db, storage, { clock });
    const { outbox, publisher, scheduler, avatars } = deps;

    startBodies(deps);
    releases.push(await startPublishing(deps, dataDir));
    await avatars.start();
    httpServer.open(siteFiles, createApp(deps));
    health.clear('storage');
    outbox.wake();
    scheduler.start();
    const stopCleanup = startCleanup(deps);
    const stopMaintenance = database.maintain(deps);
    return {
      async stop() {
        stopCleanup();
        storage.stop();
        await Promise.all([httpServer.close(), outbox.stop()]);
        await scheduler.stop();
        await publisher.stop();
        await avatars.settled();
        deps.bucket?.stop();
        await stopMaintenance();
        await releaseAll();
      },
    };
  } catch (error) {
    await releaseAll();
    throw error;
  }
}

function startBodies({ bodies, storage }: Deps): void {
  try {
    bodies.start();
  } catch (error) {
    if (!isTransient(storage.note(error))) throw error;
  }
}
