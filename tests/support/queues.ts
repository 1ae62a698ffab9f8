import { setTimeout as pause } from 'node:timers/promises';
import type { SiteProcess } from './site-process.ts';

type Queue = 'site_emails_queued' | 'site_publish_pending';

async function untilEmpty(queue: Queue, { url }: SiteProcess): Promise<void> {
  const readMetrics = async () => (await fetch(`${url}/api/metrics`)).text();
  while (!(await readMetrics()).includes(`\n${queue} 0\n`)) await pause(50);
}

export const untilSent = (site: SiteProcess): Promise<void> =>
  untilEmpty('site_emails_queued', site);

export const untilPublished = (site: SiteProcess): Promise<void> =>
  untilEmpty('site_publish_pending', site);
