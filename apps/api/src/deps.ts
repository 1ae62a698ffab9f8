import type { Database } from '@app/db/open';
import type { Passwords } from './accounts/passwords.ts';
import type { Sessions } from './accounts/sessions.ts';
import type { SignUpCookies } from './accounts/sign-up-cookies.ts';
import type { TrustedDevices } from './accounts/trusted-devices.ts';
import type { Bodies } from './blog/bodies.ts';
import type { Quotas } from './blog/quotas.ts';
import type { Clock } from './clock.ts';
import type { GoogleSettings } from './google/settings.ts';
import type { Health } from './health/health.ts';
import type { Storage } from './health/storage.ts';
import type { BodyTimeouts } from './http/body.ts';
import type { Log } from './log.ts';
import type { Outbox } from './mail/outbox.ts';
import type { Avatars } from './profile/avatars.ts';
import type { Publisher } from './publishing/publisher.ts';
import type { Renderer } from './publishing/renderer.ts';
import type { SiteFiles } from './publishing/site-files.ts';
import type { RecentTexts } from './submissions/recent-texts.ts';
import type { Stamps } from './submissions/stamps.ts';

/** What the app is made of. Everything that a test may want to replace is here. */
export interface Deps {
  settings: {
    /** Without a slash at its end. */
    publicUrl: string;
    /** Who receives contact and career notices. */
    mailTo: string;
    /** What Resend signs its reports with; without it none are taken. */
    resendWebhookSecret: string | undefined;
    /** What Google knows this site by; without it nobody signs in with Google. */
    google: GoogleSettings | undefined;
    authoring: 'everyone' | 'team';
    /** Of each member; the staff have none. */
    quotas: Quotas;
    /** Addresses and networks (CIDR) of the proxies whose X-Forwarded-For is believed. */
    trustProxy: readonly string[];
    /** Whether developers get /api/dev: page data for Astro's dev server, and every mail. */
    devPages: boolean;
    /** How long the bodies of requests may take. */
    bodyTimeouts: BodyTimeouts;
  };
  db: Database;
  clock: Clock;
  log: Log;
  health: Health;
  storage: Storage;
  passwords: Passwords;
  sessions: Sessions;
  trustedDevices: TrustedDevices;
  signUpCookies: SignUpCookies;
  outbox: Outbox;
  stamps: Stamps;
  recentTexts: RecentTexts;
  bodies: Bodies;
  renderer: Renderer;
  publisher: Publisher;
  avatars: Avatars;
  siteFiles: SiteFiles;
}
