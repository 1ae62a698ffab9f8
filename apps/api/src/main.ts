import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect, parseArgs } from 'node:util';
import { lockFolder } from '@app/db/folder-lock';
import { MigrationFailed, migrate } from '@app/db/migrate';
import { close, type Database, open } from '@app/db/open';
import { company } from '@app/site/company';
import { createPasswords } from './accounts/passwords.ts';
import { createSessions } from './accounts/sessions.ts';
import { createTrustedDevices } from './accounts/trusted-devices.ts';
import { createApp } from './app.ts';
import { createBodies } from './blog/bodies.ts';
import { createBodyRenderer } from './blog/body-renderer.ts';
import { systemClock as clock } from './clock.ts';
import { prepareDataFolder } from './data-folder/startup.ts';
import type { Deps } from './deps.ts';
import { type Env, parseEnv } from './env.ts';
import { deleteUnfinished } from './google/sweep.ts';
import { createHealth } from './health/health.ts';
import { defaultBodyTimeouts } from './http/body.ts';
import { createDoor } from './http/door.ts';
import { createLog } from './log.ts';
import { createOutbox } from './mail/outbox.ts';
import { deleteSent } from './mail/sweep.ts';
import { createTransport } from './mail/transports.ts';
import { deleteUnconfirmed } from './newsletter/newsletter.ts';
import { createAvatars } from './profile/avatars.ts';
import { createPublisher } from './publishing/publisher.ts';
import { siteFolder } from './publishing/release.ts';
import { loadRenderer } from './publishing/renderer.ts';
import { createSiteFiles } from './publishing/site-files.ts';
import { serverSecret } from './server-secrets.ts';
import { StartupError } from './startup-error.ts';
import { createRecentTexts } from './submissions/recent-texts.ts';
import { createStamps } from './submissions/stamps.ts';
import { deleteExpired } from './submissions/sweep.ts';

// The same from src/main.ts as from the bundle in dist.
const fromHere = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const buildFolder = fromHere('../../web/dist');
const migrationsFolder = fromHere('../../../packages/db/migrations');

/** How often what is over is forgotten: sessions, keys, limits, kept entries, mails that are out, visits to Google, pictures that no profile has. */
const sweepMilliseconds = 60 * 60 * 1_000;

/** A stop ends within this time, whatever hangs: systemd and containers kill soon after 10 s. */
const stopMilliseconds = 9_500;

async function main(): Promise<void> {
  const began = performance.now();
  const { startNew } = readArguments();
  const env = readEnv();
  const log = createLog(env.logLevel);
  const { publicUrl, dataDir } = env;
  makeDataFolder(dataDir);

  // The port first: who finds it taken has not touched the data of the server that has it.
  const door = createDoor(log);
  await door.listen(env.port, env.host);
  const unlock = lockData(dataDir);

  const renderer = await loadRenderer(buildFolder, publicUrl);
  prepareDataFolder(dataDir, { startNew, now: clock.now(), log });
  const db = openDatabase(join(dataDir, 'site.db'));
  migrate(db, migrationsFolder);
  const isHttps = publicUrl.startsWith('https:');
  const health = createHealth(log);
  const bodyRenderer = createBodyRenderer();
  const bodies = createBodies({ db, log, health, renderer: bodyRenderer });
  const siteFiles = createSiteFiles(siteFolder(dataDir));
  const parts = { db, clock, log, health, bodies, renderer, siteFiles, dataDir, publicUrl };
  const publisher = createPublisher(parts);
  const outbox = createOutbox({
    db,
    clock,
    log,
    transport: createTransport(env, company.mailboxes.hello),
    keepsLinks: env.devPages,
  });
  const deps: Deps = {
    settings: {
      publicUrl,
      mailTo: env.mailTo ?? company.mailboxes.hello,
      resendWebhookSecret: env.resendWebhookSecret,
      google: env.google,
      authoring: env.authoring,
      quotas: env.quotas,
      trustProxy: env.trustProxy,
      devPages: env.devPages,
      bodyTimeouts: defaultBodyTimeouts,
    },
    db,
    clock,
    log,
    health,
    passwords: createPasswords(),
    sessions: createSessions(db, clock, isHttps),
    trustedDevices: createTrustedDevices(await serverSecret(db, 'devices'), clock),
    outbox,
    stamps: createStamps(await serverSecret(db, 'form-stamps'), clock),
    recentTexts: createRecentTexts(clock),
    bodies,
    renderer,
    publisher,
    avatars: createAvatars({ ...parts, publisher }),
    siteFiles,
  };

  bodies.start();
  await publisher.start();
  await deps.avatars.start();
  door.open(siteFiles, isHttps, createApp(deps));
  outbox.wake();
  const sweep = setInterval(() => {
    for (const swept of [
      deps.sessions.deleteExpired(),
      deleteExpired(deps),
      deleteUnconfirmed(deps),
      deleteSent(deps),
      deps.avatars.sweep(),
      deleteUnfinished(deps),
    ]) {
      swept.catch((error: unknown) => log.error({ err: error }, 'sweep'));
    }
  }, sweepMilliseconds);
  const stop = async (): Promise<void> => {
    clearInterval(sweep);
    // What is not done by then is found by the next start, as after a crash.
    setTimeout(() => {
      log.warn('stopped with work left: the next start goes on with it');
      process.exit(0);
    }, stopMilliseconds);
    await Promise.all([door.close(), outbox.stop()]);
    await publisher.stop();
    bodyRenderer.close();
    await deps.avatars.settled();
    close(db);
    unlock();
    process.exit(0);
  };
  onFirstSignal((signal) => {
    log.info({ signal }, 'stopping');
    stop().catch((error: unknown) => {
      log.error({ err: error }, 'the stop failed: the next start goes on as after a crash');
      process.exit(1);
    });
  });

  const milliseconds = Math.round(performance.now() - began);
  log.info({ url: publicUrl, dataDir, milliseconds }, `ready on ${publicUrl}`);
}

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
    `The settings need mending:\n${result.problems.map((text) => `  ${text}`).join('\n')}`,
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
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.W_OK);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new StartupError(
      `DATA_DIR ${dataDir} cannot be written (${code}): choose another folder, or make it this user's.`,
    );
  }
}

/** Two servers would each serve from memory what the other one has changed. */
function lockData(dataDir: string): () => void {
  const unlock = lockFolder(dataDir);
  if (unlock) return unlock;
  throw new StartupError(
    `Another server works on DATA_DIR ${dataDir}: stop it, or choose another folder.`,
  );
}

function openDatabase(file: string): Database {
  try {
    return open(file);
  } catch (cause) {
    throw new StartupError(
      `The database ${file} cannot be opened (${(cause as Error).message}): make sure that this user may read and write it, or restore a backup with \`pnpm cli restore FILE --replace\`.`,
    );
  }
}

main().catch((error: unknown) => {
  // What a person can mend is said in one sentence; anything else is a bug and shows where.
  const isExpected = error instanceof StartupError || error instanceof MigrationFailed;
  process.stderr.write(`${isExpected ? error.message : inspect(error)}\n`);
  process.exit(1);
});
