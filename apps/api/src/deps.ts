import type { Database } from '@app/db/open';
import type { Passwords } from './accounts/passwords.ts';
import type { Sessions } from './accounts/sessions.ts';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import type { Outbox } from './mail/outbox.ts';
import type { Publisher } from './publishing/publisher.ts';
import type { Renderer } from './publishing/renderer.ts';
import type { SiteFiles } from './publishing/site-files.ts';

/** What the app is made of. Everything that a test may want to replace is here. */
export interface Deps {
  settings: {
    /** Without a slash at its end. */
    publicUrl: string;
    /** Who receives contact and career notices. */
    mailTo: string;
    authoring: 'everyone' | 'team';
    /** Whether the page data is offered to Astro's dev server. */
    devPages: boolean;
  };
  db: Database;
  clock: Clock;
  log: Log;
  passwords: Passwords;
  sessions: Sessions;
  outbox: Outbox;
  renderer: Renderer;
  publisher: Publisher;
  siteFiles: SiteFiles;
}
