import type { PageData } from '@app/contract/pages';
import type { Database } from '@app/db/open';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { BodyTimeouts } from './body.ts';
import type { SiteFiles } from './site-files.ts';

/** What the routes of every feature work with. */
export interface Deps {
  db: Database;
  clock: Clock;
  log: Log;
  renderer: { render(path: string, page: PageData): Promise<{ bytes: Buffer }> };
  siteFiles: Pick<SiteFiles, 'load'>;
  settings: {
    /** Without a slash at its end. */
    publicUrl: string;
    /** Addresses and networks (CIDR) of the proxies whose X-Forwarded-For is believed. */
    trustProxy: readonly string[];
    bodyTimeouts: BodyTimeouts;
  };
}
