import { setTimeout as pause } from 'node:timers/promises';
import type { SiteProcess } from '../support/site-process.ts';

async function queuesOf({ url }: SiteProcess) {
  const health = (await (await fetch(`${url}/api/health`)).json()) as {
    queues: { mail: { queued: number }; publishing: { pending: number } } | null;
  };
  return health.queues;
}

export async function untilSent(site: SiteProcess): Promise<void> {
  while ((await queuesOf(site))?.mail.queued !== 0) await pause(50);
}

export async function untilPublished(site: SiteProcess): Promise<void> {
  while ((await queuesOf(site))?.publishing.pending !== 0) await pause(50);
}
