import type { Database } from '@app/db/open';
import type { Avatars } from './accounts/profile/avatars.ts';
import type { LogByline, UserData } from './accounts/profile/user-data.ts';
import type { Sessions } from './accounts/sessions/sessions.ts';
import type { TrustedDevices } from './accounts/sessions/trusted-devices.ts';
import type { Passwords } from './accounts/sign-in/passwords.ts';
import type { Pictures } from './blog/pictures/pictures.ts';
import type { Presence } from './blog/presence/presence.ts';
import type { Bodies } from './blog/rendering/bodies.ts';
import type { MergeTexts } from './blog/revisions/merge-content.ts';
import type { Scheduler } from './blog/scheduling/scheduler.ts';
import type { Clock } from './clock.ts';
import type { Outbox } from './email/outbox.ts';
import type { RenderEmail } from './email/render.tsx';
import type { OnSuppressed } from './email/suppressions.ts';
import type { Env } from './env.ts';
import type { FormTokens } from './forms/submit/form-tokens.ts';
import type { RecentTexts } from './forms/submit/recent-texts.ts';
import type { ImageProcessor } from './images/image-processor.ts';
import type { Log } from './log.ts';
import type { Publisher } from './publishing/publisher.ts';
import type { Renderer } from './publishing/renderer.ts';
import type { ServerBucket } from './s3/server-bucket.ts';
import type { BodyTimeouts } from './server/body.ts';
import type { DiskSpace } from './server/health/disk-space.ts';
import type { Health } from './server/health/health.ts';
import type { Storage } from './server/health/storage.ts';
import type { Metrics } from './server/metrics/metrics.ts';
import type { RateLimits } from './server/rate-limits/rate-limits.ts';
import type { SiteFiles } from './server/site-files.ts';

export interface Deps {
  settings: Pick<
    Env,
    | 'dataDir'
    | 'databaseServer'
    | 'publicUrl'
    | 'emailTo'
    | 'resendWebhookSecret'
    | 'google'
    | 'authoring'
    | 'quotas'
    | 'trustProxy'
    | 'devPages'
    | 'metricsToken'
    | 'publishHook'
    | 'uploads'
  > & { bodyTimeouts: BodyTimeouts };
  db: Database;
  clock: Clock;
  log: Log;
  health: Health;
  metrics: Metrics;
  storage: Storage;
  diskSpace: DiskSpace;
  rateLimits: RateLimits;
  passwords: Passwords;
  sessions: Sessions;
  trustedDevices: TrustedDevices;
  outbox: Outbox;
  renderEmail: RenderEmail;
  formTokens: FormTokens;
  recentTexts: RecentTexts;
  bodies: Bodies;
  mergeTexts: MergeTexts;
  renderer: Renderer;
  publisher: Publisher;
  scheduler: Scheduler;
  images: ImageProcessor;
  avatars: Avatars;
  userData: readonly UserData[];
  logByline: LogByline;
  onSuppressed: readonly OnSuppressed[];
  pictures: Pictures;
  presence: Presence;
  siteFiles: SiteFiles;
  /** Undefined without UPLOADS_URL. */
  bucket: ServerBucket | undefined;
}
