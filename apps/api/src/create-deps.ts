import type { Database } from '@app/db/open';
import { company } from '@app/site/company';
import { createPasswords } from './accounts/passwords.ts';
import { createSessions } from './accounts/sessions.ts';
import { createSignUpCookies } from './accounts/sign-up-cookies.ts';
import { createTrustedDevices } from './accounts/trusted-devices.ts';
import { createBodies } from './blog/bodies.ts';
import type { BodyRenderer } from './blog/body-renderer.ts';
import { systemClock as clock } from './clock.ts';
import type { Deps } from './deps.ts';
import type { Env } from './env.ts';
import type { Health } from './health/health.ts';
import type { Storage } from './health/storage.ts';
import { defaultBodyTimeouts } from './http/body.ts';
import type { Log } from './log.ts';
import { createOutbox } from './mail/outbox.ts';
import { createTransport } from './mail/transports.ts';
import { createAvatars } from './profile/avatars.ts';
import { createPublisher } from './publishing/publisher.ts';
import type { Renderer } from './publishing/renderer.ts';
import type { SiteFiles } from './publishing/site-files.ts';
import { serverSecret } from './server-secrets.ts';
import { createRecentTexts } from './submissions/recent-texts.ts';
import { createStamps } from './submissions/stamps.ts';

/** What a process has from its start to its end, whatever becomes of its database. */
export interface Site {
  env: Env;
  log: Log;
  health: Health;
  renderer: Renderer;
  bodyRenderer: BodyRenderer;
  siteFiles: SiteFiles;
}

/** Made by the first start on a database, and only read by all others. */
export const serverSecrets = (db: Database) => ({
  devices: serverSecret(db, 'devices'),
  formStamps: serverSecret(db, 'form-stamps'),
  signUps: serverSecret(db, 'sign-ups'),
});

/** The parts of a server that works on this database; nothing is started. */
export function createDeps(
  { env, log, health, renderer, bodyRenderer, siteFiles }: Site,
  db: Database,
  storage: Storage,
): Deps {
  const { publicUrl, dataDir } = env;
  const secrets = serverSecrets(db);
  const bodies = createBodies({ db, log, health, renderer: bodyRenderer });
  const parts = {
    db,
    clock,
    log,
    health,
    storage,
    bodies,
    renderer,
    siteFiles,
    dataDir,
    publicUrl,
  };
  const publisher = createPublisher(parts);
  return {
    ...parts,
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
    passwords: createPasswords(),
    sessions: createSessions(db, clock, publicUrl.startsWith('https:')),
    trustedDevices: createTrustedDevices(secrets.devices, clock),
    signUpCookies: createSignUpCookies(secrets.signUps, clock),
    outbox: createOutbox({
      ...parts,
      transport: createTransport(env, company.mailboxes.hello),
      keepsLinks: env.devPages,
    }),
    stamps: createStamps(secrets.formStamps, clock),
    recentTexts: createRecentTexts(clock),
    publisher,
    avatars: createAvatars({ ...parts, publisher }),
  };
}
