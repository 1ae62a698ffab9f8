import type { PageAccount, PageData } from '@app/contract/pages';
import type { Database } from '@app/db/open';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { BodyTimeouts } from './body.ts';
import type { RateLimits } from './rate-limits/rate-limits.ts';
import type { SiteFiles } from './site-files.ts';

export interface Deps {
  db: Database;
  clock: Clock;
  log: Log;
  renderer: {
    render(path: string, page: PageData, account?: PageAccount): Promise<{ bytes: Buffer }>;
  };
  siteFiles: Pick<SiteFiles, 'load'>;
  rateLimits: RateLimits;
  settings: {
    publicUrl: string;
    trustProxy: readonly string[];
    bodyTimeouts: BodyTimeouts;
  };
}
