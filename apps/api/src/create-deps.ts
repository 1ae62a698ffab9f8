import type { Database } from '@app/db/open';
import { createAvatarFiles } from './accounts/profile/avatar-files.ts';
import { createAvatars } from './accounts/profile/avatars.ts';
import { bucketAvatarFiles } from './accounts/profile/bucket-avatar-files.ts';
import { logBylineOf } from './accounts/profile/user-data.ts';
import { createSessions } from './accounts/sessions/sessions.ts';
import { createTrustedDevices } from './accounts/sessions/trusted-devices.ts';
import { createPasswords, type PasswordCost } from './accounts/sign-in/passwords.ts';
import { bucketPictureFiles } from './blog/pictures/bucket-picture-files.ts';
import { createPictureFiles } from './blog/pictures/picture-files.ts';
import { createPictures } from './blog/pictures/pictures.ts';
import { createPresence } from './blog/presence/presence.ts';
import { createBodies } from './blog/rendering/bodies.ts';
import type { BodyRenderer } from './blog/rendering/body-renderer.ts';
import { createMergeThread } from './blog/revisions/merge-thread.ts';
import { createScheduler } from './blog/scheduling/scheduler.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Deps } from './deps.ts';
import { createOutbox } from './email/outbox.ts';
import type { RenderEmail } from './email/render.tsx';
import type { EmailTransport } from './email/transport.ts';
import { createTransport } from './email/transports.ts';
import { createEmailRenderer } from './email-renderer.ts';
import type { Env } from './env.ts';
import { features } from './features.ts';
import { createFormTokens } from './forms/submit/form-tokens.ts';
import { createRecentTexts } from './forms/submit/recent-texts.ts';
import { createImageProcessor, type ImageProcessor } from './images/image-processor.ts';
import type { Log } from './log.ts';
import { combineRedirects } from './publishing/pages.ts';
import { createPublisher } from './publishing/publisher.ts';
import type { Renderer } from './publishing/renderer.ts';
import { createServerBucket } from './s3/server-bucket.ts';
import { defaultBodyTimeouts } from './server/body.ts';
import { createDiskSpace, type DiskSpace } from './server/health/disk-space.ts';
import type { Health } from './server/health/health.ts';
import type { Storage } from './server/health/storage.ts';
import type { Metrics } from './server/metrics/metrics.ts';
import { createRateLimits } from './server/rate-limits/rate-limits.ts';
import { serverSecret } from './server/secrets.ts';
import type { SiteFiles } from './server/site-files.ts';
import { siteIdOf } from './storage/uploads/site-id.ts';

/** The parts of a server that do not depend on the database. */
export interface Site {
  env: Env;
  log: Log;
  health: Health;
  metrics: Metrics;
  renderer: Renderer;
  bodyRenderer: BodyRenderer;
  siteFiles: SiteFiles;
}

/** Created at the first start. */
export const serverSecrets = (db: Database) => ({
  devices: serverSecret(db, 'devices'),
  formTokens: serverSecret(db, 'form-tokens'),
  signUps: serverSecret(db, 'sign-ups'),
});

/** For tests. Servers that share a database replace the clock, too. */
interface Replacements {
  clock?: Clock;
  transport?: EmailTransport;
  renderEmail?: RenderEmail;
  passwordCost?: PasswordCost;
  images?: ImageProcessor;
  diskSpace?: DiskSpace;
  settings?: Partial<Deps['settings']>;
}

/** Creates the parts of a server, without starting them. */
export function createDeps(
  { env, log, health, metrics, renderer, bodyRenderer, siteFiles }: Site,
  db: Database,
  storage: Storage,
  {
    clock = systemClock,
    transport,
    renderEmail = createEmailRenderer(),
    passwordCost,
    images = createImageProcessor({ log, clock }),
    diskSpace = createDiskSpace(env.dataDir),
    ...replaced
  }: Replacements = {},
): Deps {
  const settings: Deps['settings'] = {
    ...env,
    bodyTimeouts: defaultBodyTimeouts,
    ...replaced.settings,
  };
  const { dataDir } = env;
  const { publicUrl } = settings;
  const secrets = serverSecrets(db);
  const rateLimits = createRateLimits({ db, clock });
  const base = {
    ...{ db, clock, log, health, metrics, storage, renderer, siteFiles, settings },
    ...{ rateLimits, images, diskSpace },
  };
  const bucket =
    settings.uploads &&
    createServerBucket({ ...base, uploads: settings.uploads, siteId: siteIdOf(db) });
  const ownsFiles = bucket?.isOurs ?? (async () => true);
  const parts = {
    ...base,
    bodies: createBodies({ db, log, health, renderer: bodyRenderer }),
    mergeTexts: createMergeThread(),
    presence: createPresence({ db, clock }),
    pictures: createPictures({
      ...base,
      ownsFiles,
      files: bucket ? bucketPictureFiles(bucket, clock) : createPictureFiles(dataDir),
    }),
    passwords: createPasswords(secrets.signUps, passwordCost),
    sessions: createSessions(db, clock, publicUrl.startsWith('https:')),
    trustedDevices: createTrustedDevices(secrets.devices, clock),
    renderEmail,
    outbox: createOutbox({
      ...base,
      transport: transport ?? createTransport(env),
      renderEmail,
      accountEmails: features.flatMap(({ accountEmails }) => accountEmails ?? []),
      keepLinks: settings.devPages,
    }),
    formTokens: createFormTokens(secrets.formTokens, clock),
    recentTexts: createRecentTexts(clock),
    logByline: logBylineOf(features),
    onSuppressed: features.flatMap(({ onSuppressed }) => onSuppressed ?? []),
  };
  const userData = features.flatMap((feature) => feature.userData?.(parts) ?? []);
  const publisher = createPublisher({
    ...base,
    dataDir,
    publicUrl,
    createPages: (republish) =>
      features.flatMap(({ publishedPages }) => publishedPages?.(parts, republish) ?? []),
    isRedirect: combineRedirects(features, db),
  });
  const avatars = createAvatars({
    ...base,
    publisher,
    logByline: parts.logByline,
    ownsFiles,
    files: bucket ? bucketAvatarFiles(bucket, clock) : createAvatarFiles(dataDir),
  });
  const scheduler = createScheduler({ ...parts, publisher });
  return { ...parts, userData, publisher, scheduler, avatars, bucket };
}
