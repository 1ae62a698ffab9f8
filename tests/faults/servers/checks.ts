import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { HealthReply } from '@app/contract/health';
import { open } from '@app/db/open';
import { openPrimary } from '@app/db/replica/open-replica';
import { outbox } from '@app/db/schema/email';
import { eq } from 'drizzle-orm';
import { untilPublished, untilSent } from '../../support/queues.ts';
import { cardsRendered } from '../../support/site-process.ts';
import type { Findings } from '../fault.ts';
import { listFiles, siteDifferences, unfinishedFiles } from '../published-files.ts';
import { inWords, problemsOfPages, readState } from '../tracked-posts.ts';
import { emailProblems, lostWrites } from '../visitors.ts';
import type { Deployment } from './deployment.ts';
import type { Load } from './load.ts';
import { acknowledged } from './writers.ts';

/** In milliseconds. */
const maxSettling = 300_000;

/** Expects all kinds of writes to be acknowledged again, still under load. */
export async function expectRecovery(findings: Findings): Promise<void> {
  const { counts } = findings;
  const before = { ...counts };
  const missing = await untilEmpty(() =>
    acknowledged.filter((name) => (counts[name] ?? 0) <= (before[name] ?? 0)),
  );
  for (const name of missing) findings.breaks(`no ${name} after the last fault`);
}

/** Restarts all servers, and waits until everything has been sent and published. */
export async function settle(
  { servers, primary, provider }: Deployment,
  findings: Findings,
): Promise<void> {
  const problems = await untilEmpty(async () => {
    const all = await Promise.all(servers.map(({ site }) => problemsOf(site.url)));
    return all.flat();
  });
  for (const problem of problems) findings.breaks(`a server still reports: ${problem}`);

  findings.progress('all servers are ok');
  await Promise.all(servers.map((server) => server.stop()));
  findings.set('emails that a killed server had begun to send', await endLeases(primary.url));
  await Promise.all(servers.map((server) => server.start()));
  findings.progress('all servers were started');
  await Promise.all(servers.map(({ site }) => untilSent(site)));
  await Promise.all(servers.map(({ site }) => untilPublished(site)));
  await Promise.all(servers.map(({ options }) => cardsRendered(options.dataDir)));
  findings.set('emails offered to the provider again', provider.repeated);
}

async function problemsOf(url: string): Promise<string[]> {
  try {
    const response = await fetch(`${url}/api/health`);
    return ((await response.json()) as HealthReply).problems;
  } catch (error) {
    return [String(error)];
  }
}

/** Makes the next start send the queued emails, instead of two minutes later. */
async function endLeases(url: string): Promise<number> {
  const { db, close } = await openPrimary({ url });
  const { changes } = db
    .update(outbox)
    .set({ nextAttemptAt: 0 })
    .where(eq(outbox.state, 'queued'))
    .run();
  await close();
  return changes;
}

/** Repeats the search until it finds nothing, for `maxSettling` at most. */
async function untilEmpty(find: () => Promise<string[]> | string[]): Promise<string[]> {
  for (const end = performance.now() + maxSettling; ; await pause(200)) {
    const found = await find();
    if (found.length === 0 || performance.now() > end) return found;
  }
}

/** Expects all servers to publish the same bytes, with everything that was acknowledged. */
export async function checkFiles(
  { servers }: Deployment,
  load: Load,
  findings: Findings,
): Promise<void> {
  const [first = '', ...others] = servers.map(({ options }) => join(options.dataDir, 'site'));
  const differences = await untilEmpty(() =>
    others.flatMap((folder) => siteDifferences(folder, first)),
  );
  for (const each of differences) findings.breaks(`published files: ${each}`);
  for (const name of unfinishedFiles(first)) findings.breaks(`${name} is unfinished`);
  findings.set('published files of each server', listFiles(first).length);
  for (const post of load.posts) {
    post.isLive = post.attempted === null;
    for (const problem of problemsOfPages(post, first)) findings.breaks(problem);
  }
}

/** Stops everything, and expects the primary to have everything that was acknowledged. */
export async function checkStored(
  { servers, primary, provider }: Deployment,
  load: Load,
  findings: Findings,
): Promise<void> {
  await Promise.all(servers.map((server) => server.stop()));
  await primary.kill();
  const db = open(join(primary.folder, 'dbs/default/data'));
  const damage = db.$client.pragma('integrity_check', { simple: true });
  if (damage !== 'ok') findings.breaks(`the primary is damaged: ${damage}`);
  const lost = [
    ...lostWrites(db, load.visitors),
    ...load.posts.flatMap((post) => {
      const stored = inWords(readState(db, post)?.state ?? null);
      const possible = [post.acknowledged, post.attempted].map(inWords);
      if (post.attempted && !post.acknowledged) possible.push(inWords(null));
      return possible.includes(stored)
        ? []
        : [`${post.key} is ${stored}, not ${possible.join(' or ')}`];
    }),
  ];
  findings.set('writes lost', lost.length);
  for (const text of lost) findings.breaks(`lost: ${text}`);
  findings.set('emails delivered', provider.delivered.length);
  for (const problem of emailProblems(db, provider)) findings.breaks(problem);
  db.$client.close();
}
