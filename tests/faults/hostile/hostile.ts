import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { close, open } from '@app/db/open';
import { contactSubmissions } from '@app/db/schema/forms/contact';
import { EmailProvider } from '../../support/email-provider.ts';
import { percentile } from '../../support/percentile.ts';
import { copyPublishedSite, SiteProcess, temporaryFolder } from '../../support/site-process.ts';
import { seedAccounts } from './accounts.ts';
import type { AttackResult, AttackTask } from './attackers.ts';
import { relayed } from './attacks/accounts.ts';
import { Client } from './client.ts';
import { createContents } from './contents.ts';
import { simulateHonestUsers } from './honest.ts';
import type { ReaderResult, ReaderTask } from './reader.ts';
import type { HostileReport } from './report.ts';

interface Options {
  seconds: number;
  /** Max response time. Without it, times are not checked. */
  maxReadMilliseconds?: number;
  /** Max p99 of an author's saves during the attacks, relative to that before. */
  maxSaveRatio?: number;
}

/** Max emails that strangers can trigger to one mailbox per day. */
const maxStrangersEmails = 8;
const maxLogRate = 50_000;
/** Gets notices, which contain what visitors wrote. */
const companyMailbox = 'hello@example.com';
/** What twelve accounts may store by their quotas, and the site itself. */
const maxStoredBytes = 3e9;

const readPaths = [
  '/',
  '/services',
  '/blog',
  '/blog/rss.xml',
  '/blog/archive',
  '/contact',
  '/sitemap.xml',
  '/no-such-page',
  '/favicon.ico',
];

export async function runHostile({
  seconds,
  maxReadMilliseconds,
  maxSaveRatio,
}: Options): Promise<HostileReport> {
  using folder = temporaryFolder();
  await copyPublishedSite(folder.path);
  const accounts = await seedAccounts(folder.path, 12);
  await using provider = await EmailProvider.start();
  await using site = await SiteProcess.start({
    dataDir: folder.path,
    env: {
      // Attacks come from any IP address, like a botnet behind a proxy.
      TRUST_PROXY: '127.0.0.1,::1',
      RESEND_API_KEY: 're_test',
      RESEND_BASE_URL: provider.url,
      MAIL_FROM: companyMailbox,
      MAIL_TO: companyMailbox,
    },
  });

  const quietEnd = performance.now() + seconds * 100;
  const quiet = await simulateHonestUsers(site.url, accounts, () => performance.now() >= quietEnd);
  const client = new Client(site.url);
  const contents = await createContents(client, accounts.owner);
  client.close();

  const task: ReaderTask = { url: site.url, paths: readPaths, readers: 4, pauseMilliseconds: 50 };
  const readers = new Worker(new URL('reader.ts', import.meta.url), { workerData: task });
  const attackers = fork(new URL('attackers.ts', import.meta.url));
  const attacked = once(attackers, 'message') as Promise<[AttackResult]>;
  attackers.send({ url: site.url, accounts, contents, seconds } satisfies AttackTask);
  let isOver = false;
  const honestly = simulateHonestUsers(site.url, accounts, () => isOver);

  const [{ attacks, violations: attacksSeen }] = await attacked;
  isOver = true;
  const honest = await honestly;
  readers.postMessage('stop');
  const [{ reads, slowest }] = (await once(readers, 'message')) as [ReaderResult];

  const health = await fetch(`${site.url}/api/health`).catch(() => null);
  const peak = health ? site.memory().peak : Number.NaN;
  const stopped = await site.stop();
  const logBytes = site.log.reduce((sum, line) => sum + JSON.stringify(line).length, 0);
  const errors = site.log.filter(({ level }) => level === 'error');

  const violations = [...attacksSeen, ...quiet.violations, ...honest.violations];
  const saves = { quiet: percentile(quiet.saves, 99), attacked: percentile(honest.saves, 99) };
  const check = (isBroken: boolean, text: string): void => {
    if (isBroken) violations.push(text);
  };
  for (const { path, status, milliseconds, at } of slowest) {
    check(
      maxReadMilliseconds !== undefined && milliseconds > maxReadMilliseconds,
      `${path} took a reader ${milliseconds.toFixed(0)} ms (${status}), ${at} s after the start`,
    );
  }
  check(
    maxSaveRatio !== undefined && saves.attacked > maxSaveRatio * saves.quiet,
    `an author's saves took ${saves.attacked.toFixed(0)} ms (p99), ${saves.quiet.toFixed(0)} before the attacks`,
  );
  for (const [status, count] of Object.entries(reads.statuses)) {
    check(status !== '200' && status !== '404', `${count} reads were answered with ${status}`);
  }
  check(health?.status !== 200, `/api/health was answered with ${health?.status ?? 'nothing'}`);
  check(
    stopped.code !== 0 || stopped.stderr !== '',
    `the server ended with ${stopped.code}: ${stopped.stderr}`,
  );
  check(logBytes > maxLogRate * seconds, `${logBytes} bytes were logged`);
  for (const text of new Set(
    errors.map(({ msg, err }) => `${msg}: ${JSON.stringify(err ?? null).slice(0, 300)}`),
  )) {
    check(true, `logged as an error: ${text}`);
  }
  for (const mailbox of ['victim', 'stranger']) {
    const received = provider.delivered.filter(({ to }) => to.startsWith(mailbox)).length;
    check(received > maxStrangersEmails, `${mailbox} received ${received} emails`);
  }
  const relays = provider.delivered.filter(
    (email) => email.to !== companyMailbox && JSON.stringify(email).includes(relayed),
  );
  check(relays.length > 0, `${relays.length} emails contain what a stranger wrote`);
  const stored = await folderBytes(folder.path);
  check(stored > maxStoredBytes, `${stored} bytes are stored`);
  const lost = missingMessages(folder.path, [...quiet.acknowledged, ...honest.acknowledged]);
  check(lost.length > 0, `${lost.length} acknowledged messages are not stored`);

  return {
    seconds,
    reads,
    attacks,
    honest: honest.counts,
    saves,
    server: { peakMemory: peak, logBytes, storedBytes: stored },
    violations,
  };
}

function missingMessages(dataDir: string, acknowledged: readonly string[]): string[] {
  const db = open(join(dataDir, 'site.db'));
  const rows = db.select({ name: contactSubmissions.name }).from(contactSubmissions).all();
  close(db);
  const stored = new Set(rows.map(({ name }) => name));
  return acknowledged.filter((name) => !stored.has(name));
}

async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
