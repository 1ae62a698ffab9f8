import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inspect, parseArgs } from 'node:util';
import { startCheckpoints } from '@app/db/checkpoint';
import { lockFolder } from '@app/db/folder-lock';
import { MigrationFailed, migrate } from '@app/db/migrate';
import { close, type Database, open } from '@app/db/open';
import { openCopy } from '@app/db/open-copy';
import { isPassing, type StorageFailure, storageFailureOf } from '@app/db/storage-failure';
import { createApp } from './app.ts';
import { pipelineVersion } from './blog/bodies.ts';
import { createBodyRenderer } from './blog/body-renderer.ts';
import { startCleanup } from './cleanup.ts';
import { systemClock as clock } from './clock.ts';
import { createDeps, type Site, serverSecrets } from './create-deps.ts';
import type { Deps } from './deps.ts';
import { type Env, parseEnv } from './env.ts';
import { createLog } from './log.ts';
import { siteFolder } from './publishing/release.ts';
import { loadRenderer } from './publishing/renderer.ts';
import { createWorkerPool } from './publishing/worker-pool.ts';
import { createHealth } from './server/health/health.ts';
import { copyStorage, createStorage, storageProblems } from './server/health/storage.ts';
import { createHttpServer } from './server/http-server.ts';
import { createSiteFiles } from './server/site-files.ts';
import { StartupError } from './startup-error.ts';
import { restrictDataFolder, restrictNewFiles } from './storage/data-folder/permissions.ts';
import { prepareDataFolder } from './storage/data-folder/startup.ts';

// The same from src/main.ts as from the bundle in dist.
const fromHere = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const buildFolder = fromHere('../../web/dist');
const migrationsFolder = fromHere('../../../packages/db/migrations');

/** A stop ends within this time, whatever hangs: systemd and containers kill soon after 10 s. */
const stopMilliseconds = 9_500;

/**
 * How long SQLite may wait for another process that writes, in milliseconds: nothing else would be
 * served meanwhile. `writeTransaction` tries again instead.
 */
const busyTimeout = 0;

/**
 * Checkpoints run in a thread of their own. Only a write-ahead log of 64 MB, in pages, is copied by
 * the commit that finds it: the thread has failed then, or cannot keep up.
 */
const autoCheckpoint = 16_384;

/** How often a start looks whether another process has released the database, in milliseconds. */
const lockedMilliseconds = 100;

/** How often a server that cannot write, or cannot publish, tries to, in milliseconds. */
const retryMilliseconds = 5_000;

/** A site with the socket that serves it. */
interface Served extends Site {
  httpServer: ReturnType<typeof createHttpServer>;
  startNew: boolean;
}

interface Running {
  stop(): Promise<void>;
}

async function main(): Promise<void> {
  const began = performance.now();
  const { startNew } = readArguments();
  const env = readEnv();
  const log = createLog(env.logLevel);
  const { publicUrl, dataDir } = env;
  restrictNewFiles(env.siteReaders);

  // The port first: who finds it taken has not touched the data of the server that has it.
  const httpServer = createHttpServer(log);
  await httpServer.listen(env.port, env.host);
  const renderer = await loadRenderer(buildFolder, publicUrl, pipelineVersion);
  const siteFiles = createSiteFiles(siteFolder(dataDir));
  const health = createHealth(log);
  const bodyRenderer = createBodyRenderer();
  const workerPool = createWorkerPool();
  const served = {
    env,
    log,
    health,
    renderer,
    bodyRenderer,
    siteFiles,
    workerPool,
    httpServer,
    startNew,
  };
  const running = await startAsPossible(served).catch((error: unknown) => {
    throw explained(error, dataDir);
  });

  onFirstSignal((signal) => {
    log.info({ signal }, 'stopping');
    // What is not done by then is found by the next start, as after a crash.
    setTimeout(() => {
      log.warn('stopped with unfinished work: the next start continues it');
      process.exit(0);
    }, stopMilliseconds);
    running.stop().then(
      () => {
        bodyRenderer.close();
        process.exit(0);
      },
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed: the next start recovers as after a crash');
        process.exit(1);
      },
    );
  });

  const milliseconds = Math.round(performance.now() - began);
  log.info({ url: publicUrl, dataDir, milliseconds }, `ready on ${publicUrl}`);
}

/** Starts the whole server, or what is possible while the disk takes no writes, until it does. */
async function startAsPossible(served: Served): Promise<Running> {
  for (;;) {
    try {
      return await startServing(served);
    } catch (error) {
      const failure = storageFailureOf(error);
      const isServable = existsSync(join(siteFolder(served.env.dataDir), 'index.html'));
      if (failure === null || failure === 'corrupt') throw error;
      if (failure !== 'busy') {
        if (!isServable) throw error;
        return startReading(served, failure);
      }
    }
    // No copy here: the other process may be in the middle of writing what would be copied.
    served.health.report('storage', storageProblems.busy);
    await pause(lockedMilliseconds);
  }
}

/** @throws what the disk or the database says; see `storageFailureOf` */
async function startServing({ startNew, ...served }: Served): Promise<Running> {
  const { env, log, siteFiles, health, httpServer } = served;
  const { dataDir } = env;
  const file = join(dataDir, 'site.db');
  makeDataFolder(dataDir);
  const ends: (() => void)[] = [lockData(dataDir)];
  const undo = () => {
    for (const end of ends.reverse()) end();
  };
  try {
    restrictDataFolder(dataDir, env.siteReaders, log);
    prepareDataFolder(dataDir, { startNew, now: clock.now(), log });
    const db = openDatabase(file);
    ends.push(() => close(db));
    migrate(db, migrationsFolder);
    const storage = createStorage({ db, dataDir, health, log });
    const deps = createDeps(served, db, storage);
    const { outbox, publisher, avatars } = deps;

    startBodies(deps);
    ends.push(await startPublishing(deps, dataDir));
    await avatars.start();
    httpServer.open(siteFiles, isHttps(env), createApp(deps));
    health.clear('storage');
    outbox.wake();
    const stopCleanup = startCleanup(deps);
    const stopCheckpoints = startCheckpoints(file, (error) => {
      if (storage.note(error) === null) log.error({ err: error }, 'a checkpoint failed');
    });
    return {
      async stop() {
        stopCleanup();
        storage.stop();
        await Promise.all([httpServer.close(), outbox.stop()]);
        await publisher.stop();
        await avatars.settled();
        await stopCheckpoints();
        undo();
      },
    };
  } catch (error) {
    undo();
    throw error;
  }
}

/**
 * Serves the published files, and whatever can be read in the database, from a copy; writes are
 * answered 503. Goes over to `startServing` as soon as that is possible.
 */
async function startReading(served: Served, failure: StorageFailure): Promise<Running> {
  const { env, log, siteFiles, health, httpServer } = served;
  health.report('storage', storageProblems[failure]);
  const db = openCopy(join(env.dataDir, 'site.db'), migrationsFolder, serverSecrets);
  const deps = createDeps(served, db, copyStorage());
  httpServer.open(siteFiles, isHttps(env), createApp(deps));

  let whole: Running | undefined;
  let starting: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const end = async (): Promise<void> => {
    await deps.publisher.stop();
    close(db);
  };
  async function startWhole(): Promise<void> {
    try {
      whole = await startServing(served);
      log.info('the disk is writable again: serving everything');
      // Requests that began before have the copy in their hands.
      setTimeout(() => void end(), retryMilliseconds).unref();
    } catch (error) {
      if (!isPassing(storageFailureOf(error))) {
        health.report('storage', explained(error, env.dataDir).message);
        log.error({ err: error }, 'the server cannot switch to writing');
      }
      tryLater();
    }
  }
  function tryLater(): void {
    timer = setTimeout(() => {
      starting = startWhole();
    }, retryMilliseconds).unref();
  }

  tryLater();
  return {
    async stop() {
      clearTimeout(timer);
      await starting;
      if (whole) return whole.stop();
      await httpServer.close();
      await end();
    },
  };
}

/** What cannot be written of it now is no reason not to serve. */
function startBodies({ bodies, storage }: Deps): void {
  try {
    bodies.start();
  } catch (error) {
    if (!isPassing(storage.note(error))) throw error;
  }
}

/**
 * Brings the published files up to date. Where that fails, but a site is there, the site is
 * served as it is and publishing tries again.
 * @returns how to end the trying
 */
async function startPublishing(
  { publisher, health, storage, log }: Deps,
  dataDir: string,
): Promise<() => void> {
  let timer: NodeJS.Timeout | undefined;
  const start = async (): Promise<void> => {
    try {
      await publisher.start();
      health.clear('publishing start');
    } catch (error) {
      const isServable = existsSync(join(siteFolder(dataDir), 'index.html'));
      const failure = storageFailureOf(error);
      if (!isServable || failure === 'corrupt' || error instanceof StartupError) throw error;
      health.report('publishing start', 'What was published last is served; changes wait.');
      if (storage.note(error) === null) log.error({ err: error }, 'publishing could not start');
      timer = setTimeout(() => {
        start().catch((cause: unknown) => {
          log.error(
            { err: cause },
            'publishing could not start, and is given up until the next start',
          );
        });
      }, retryMilliseconds).unref();
    }
  };
  await start();
  return () => clearTimeout(timer);
}

const isHttps = ({ publicUrl }: Env): boolean => publicUrl.startsWith('https:');

/**
 * Calls back once. A signal to the whole process group comes here twice, from its sender and from
 * the `npm start` around this process, which passes it on: the second one is the same wish.
 */
function onFirstSignal(callback: (signal: string) => void): void {
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      callback(signal);
    });
  }
}

function readEnv(): Env {
  const result = parseEnv();
  if ('env' in result) return result.env;
  throw new StartupError(
    `Invalid configuration:\n${result.problems.map((text) => `  ${text}`).join('\n')}`,
  );
}

function readArguments(): { startNew: boolean } {
  try {
    const { values } = parseArgs({ options: { new: { type: 'boolean', default: false } } });
    return { startNew: values.new };
  } catch (cause) {
    throw new StartupError(
      `${(cause as Error).message}. The only option is --new; everything else is set in the environment.`,
    );
  }
}

function makeDataFolder(dataDir: string): void {
  try {
    makeFolder(dataDir);
    accessSync(dataDir, constants.W_OK);
  } catch (cause) {
    if (storageFailureOf(cause) !== null) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    throw new StartupError(
      `DATA_DIR ${dataDir} cannot be written (${code}): choose another folder, or make it this user's.`,
    );
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    // Recursively, Node reports a read-only disk as ENOENT.
    mkdirSync(folder);
  }
}

/** Two servers would each serve from memory what the other one has changed. */
function lockData(dataDir: string): () => void {
  const unlock = lockFolder(dataDir);
  if (unlock) return unlock;
  throw new StartupError(
    `Another server is using DATA_DIR ${dataDir}: stop it, or choose another folder.`,
  );
}

function openDatabase(file: string): Database {
  try {
    return open(file, { busyTimeout, autoCheckpoint });
  } catch (cause) {
    if (storageFailureOf(cause) !== null) throw cause;
    throw new StartupError(
      `The database ${file} cannot be opened (${(cause as Error).message}): make sure that this user may read and write it, or restore a backup with \`pnpm cli restore FILE --replace\`.`,
    );
  }
}

/** What a person can do about a start that failed; an error that is none of the storage's stays as it is. */
function explained(error: unknown, dataDir: string): Error {
  const failure = storageFailureOf(error);
  // A start waits for a database that is busy.
  if (failure === null || failure === 'busy' || error instanceof StartupError) {
    return error as Error;
  }
  const reason = (error as Error).message;
  const sentences: Record<Exclude<StorageFailure, 'busy'>, string> = {
    full: `The disk of DATA_DIR ${dataDir} is full: make space, then start again.`,
    'read-only': `The disk of DATA_DIR ${dataDir} is read-only: mount it for writing, then start again.`,
    io: `DATA_DIR ${dataDir} cannot be read or written (${reason}): check its permissions and its disk, then start again.`,
    corrupt: `The database in DATA_DIR ${dataDir} is damaged (${reason}): restore a backup with \`pnpm cli restore FILE --replace\`.`,
  };
  return new StartupError(sentences[failure], { cause: error });
}

main().catch((error: unknown) => {
  // What a person can mend is said in one sentence; anything else is a bug and shows where.
  const isExpected = error instanceof StartupError || error instanceof MigrationFailed;
  process.stderr.write(`${isExpected ? error.message : inspect(error)}\n`);
  process.exit(1);
});
