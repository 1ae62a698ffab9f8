import type { Database } from '@app/db/open';
import type { GoogleSettings } from './accounts/google/settings.ts';
import type { Avatars } from './accounts/profile/avatars.ts';
import type { Sessions } from './accounts/sessions/sessions.ts';
import type { SignUpCookies } from './accounts/sessions/sign-up-cookies.ts';
import type { TrustedDevices } from './accounts/sessions/trusted-devices.ts';
import type { Passwords } from './accounts/sign-in/passwords.ts';
import type { Bodies } from './blog/bodies.ts';
import type { Quotas } from './blog/quotas.ts';
import type { Clock } from './clock.ts';
import type { Outbox } from './email/outbox.ts';
import type { RenderEmail } from './email/render.tsx';
import type { FormTokens } from './forms/submit/form-tokens.ts';
import type { RecentTexts } from './forms/submit/recent-texts.ts';
import type { Log } from './log.ts';
import type { Publisher } from './publishing/publisher.ts';
import type { Renderer } from './publishing/renderer.ts';
import type { BodyTimeouts } from './server/body.ts';
import type { Health } from './server/health/health.ts';
import type { Storage } from './server/health/storage.ts';
import type { SiteFiles } from './server/site-files.ts';

export interface Deps {
  settings: {
    /** Without a trailing slash. */
    publicUrl: string;
    /** Who receives contact and career notices. */
    mailTo: string;
    /** Undefined disables the webhook. */
    resendWebhookSecret: string | undefined;
    /** Undefined without Google sign-in. */
    google: GoogleSettings | undefined;
    authoring: 'everyone' | 'team';
    /** Per member. Staff have none. */
    quotas: Quotas;
    /** Addresses and networks (CIDR) whose X-Forwarded-For is trusted. */
    trustProxy: readonly string[];
    /** Enables /api/dev: page data for Astro's dev server, and all emails. */
    devPages: boolean;
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
  renderEmail: RenderEmail;
  formTokens: FormTokens;
  recentTexts: RecentTexts;
  bodies: Bodies;
  renderer: Renderer;
  publisher: Publisher;
  avatars: Avatars;
  siteFiles: SiteFiles;
}
