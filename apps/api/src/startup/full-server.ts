import { join } from 'node:path';
import { startCheckpoints } from '@app/db/checkpoint';
import { close } from '@app/db/open';
import { isPassing } from '@app/db/storage-failure';
import { createApp } from '../app.ts';
import { startCleanup } from '../cleanup.ts';
import { systemClock } from '../clock.ts';
import { createDeps } from '../create-deps.ts';
import type { Deps } from '../deps.ts';
import { createStorage } from '../server/health/storage.ts';
import { restrictDataFolder } from '../storage/data-folder/permissions.ts';
import { prepareDataFolder } from '../storage/data-folder/startup.ts';
import { migrateDatabase } from '../storage/update/migrate-database.ts';
import { lockDataFolder, makeDataFolder, openDatabase } from './data-folder.ts';
import { startPublishing } from './publishing.ts';
import type { RunningServer, ServerParts } from './server-parts.ts';

/** @throws errors of the disk or the database, too; see `storageFailureOf` */
export async function startFullServer(parts: ServerParts): Promise<RunningServer> {
  const { env, log, siteFiles, health, httpServer, migrationsFolder } = parts;
  const { dataDir, siteReaders } = env;
  const file = join(dataDir, 'site.db');
  makeDataFolder(dataDir);
  const releases: (() => void)[] = [lockDataFolder(dataDir)];
  const releaseAll = () => {
    for (const release of releases.reverse()) release();
  };
  try {
    restrictDataFolder(dataDir, siteReaders, log);
    prepareDataFolder(dataDir, { startNew: parts.startNew, now: systemClock.now(), log });
    const db = openDatabase(file);
    releases.push(() => close(db));
    migrateDatabase(db, { dataDir, migrationsFolder, now: systemClock.now(), log });
    const storage = createStorage({ db, dataDir, clock: systemClock, health, log });
    const deps = createDeps(parts, db, storage);
    const { outbox, publisher, scheduler, avatars } = deps;

    startBodies(deps);
    releases.push(await startPublishing(deps, dataDir));
    await avatars.start();
    httpServer.open(siteFiles, createApp(deps));
    health.clear('storage');
    outbox.wake();
    scheduler.start();
    const stopCleanup = startCleanup(deps);
    const stopCheckpoints = startCheckpoints(file, (error) => {
      if (storage.note(error) === null) log.error({ err: error }, 'a checkpoint failed');
    });
    return {
      async stop() {
        stopCleanup();
        storage.stop();
        await Promise.all([httpServer.close(), outbox.stop()]);
        await scheduler.stop();
        await publisher.stop();
        await avatars.settled();
        deps.bucket?.stop();
        await stopCheckpoints();
        releaseAll();
      },
    };
  } catch (error) {
    releaseAll();
    throw error;
  }
}

function startBodies({ bodies, storage }: Deps): void {
  try {
    bodies.start();
  } catch (error) {
    if (!isPassing(storage.note(error))) throw error;
  }
}
