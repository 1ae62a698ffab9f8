import { execFileSync } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { open } from '@app/db/open';
import { expect, test } from 'vitest';
import { type Behaviour, type Delivery, EmailProvider } from '../support/email-provider.ts';
import { isFullRun } from '../support/full-run.ts';
import { freePort, SiteProcess, temporaryFolder } from '../support/site-process.ts';

const kills = isFullRun ? 200 : 10;
/** One in so many kills hits a server during startup. */
const killsWhileStarting = 5;
/** Max events between a start and a kill. */
const maxEvents = 40;
const visitorsAtOnce = 4;

/** Failures of the email provider, in percent. */
const troubles: readonly [Behaviour, number][] = [
  ['fails', 15],
  ['breaks off', 10],
  ['takes it and breaks off', 10],
  ['takes it late', 5],
  ['asks for a rest', 2],
];

function flaky(): Behaviour {
  let left = randomInt(100);
  for (const [behaviour, percent] of troubles) {
    if (left < percent) return behaviour;
    left -= percent;
  }
  return 'takes it';
}

const emailOf = (visitor: string): string => `${visitor}@example.com`;
const visitorOf = ({ to, reply_to }: Delivery): string =>
  [to, reply_to].find((address) => address?.startsWith('visitor-'))?.replace('@example.com', '') ??
  '';

/** Visitors who send messages without pause. */
class Visitors {
  readonly sent: string[] = [];
  readonly acknowledged: string[] = [];

  /** Sends until `isGone`; calls `notice` for each event. */
  async write(url: string, isGone: () => boolean, notice: () => void): Promise<void> {
    while (!isGone()) await this.writeOne(url, notice);
  }

  async writeOne(url: string, notice: () => void): Promise<void> {
    const visitor = `visitor-${this.sent.length}`;
    this.sent.push(visitor);
    const answer = fetch(`${url}/api/contact`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Idempotency-Key': randomUUID(),
        Origin: url,
      },
      body: JSON.stringify({
        name: visitor,
        email: emailOf(visitor),
        message: `The boiler of ${visitor} is out.`,
      }),
    });
    notice();
    const response = await answer.catch((error: unknown) => {
      // fetch throws a TypeError when the connection breaks.
      if (error instanceof TypeError) return null;
      throw error;
    });
    if (response) expect(response.status).toBe(201);
    if (response) this.acknowledged.push(visitor);
    notice();
  }
}

/**
 * @param waitsForEmail whether it is killed after it began to send: the thread that renders emails
 *   starts slower than most servers are killed
 */
async function killWhileItWorks(
  options: Parameters<typeof SiteProcess.start>[0],
  visitors: Visitors,
  provider: EmailProvider,
  waitsForEmail: boolean,
): Promise<void> {
  await using site = await SiteProcess.start(options);
  if (waitsForEmail) {
    const isSending = new Promise<void>((resolve) => {
      provider.notice = resolve;
    });
    await visitors.writeOne(site.url, () => undefined);
    await isSending;
  }
  let left = randomInt(maxEvents);
  let isGone = false;
  const notice = () => {
    if (left === 0) {
      isGone = true;
      site.signal('SIGKILL');
    }
    left -= 1;
  };
  provider.notice = notice;
  await Promise.all(
    Array.from({ length: visitorsAtOnce }, () => visitors.write(site.url, () => isGone, notice)),
  );
  provider.notice = () => undefined;
  expect(await site.ended).toMatchObject({ signal: 'SIGKILL', stderr: '' });
}

async function killWhileItStarts(options: Parameters<typeof SiteProcess.start>[0]): Promise<void> {
  await using site = await SiteProcess.launch(options);
  for (let tries = randomInt(60); tries > 0; tries -= 1) {
    await fetch(`${site.url}/api/health`).catch(() => undefined);
  }
  site.signal('SIGKILL');
  expect(await site.ended).toMatchObject({ signal: 'SIGKILL', stderr: '' });
}

const cli = (dataDir: string, ...args: string[]): string =>
  execFileSync(
    process.execPath,
    [fileURLToPath(new URL('../../packages/tasks/cli.mjs', import.meta.url)), ...args],
    { env: { DATA_DIR: dataDir }, encoding: 'utf8' },
  );

test(`loses nothing and sends nothing twice when killed ${kills} times with a failing email provider`, {
  timeout: 600_000,
}, async () => {
  using folder = temporaryFolder();
  await using provider = await EmailProvider.start();
  const options = {
    dataDir: folder.path,
    port: await freePort(),
    env: {
      RESEND_API_KEY: 're_test',
      RESEND_BASE_URL: provider.url,
      MAIL_FROM: 'hello@example.com',
    },
  };
  const visitors = new Visitors();
  // The first deliveries fail in any case.
  const first: Behaviour[] = ['fails', 'breaks off', 'takes it and breaks off', 'takes it late'];
  provider.behave = () => first.shift() ?? flaky();
  for (let kill = 0; kill < kills; kill += 1) {
    if (kill % killsWhileStarting === 0) await killWhileItStarts(options);
    else await killWhileItWorks(options, visitors, provider, kill % 2 === 0);
  }
  const met = troubles.map(([trouble]) => provider.counts.get(trouble) ?? 0);
  expect(met.reduce((sum, times) => sum + times)).toBeGreaterThanOrEqual(kills / 4);

  // Retries take hours; the operator starts them at once.
  provider.behave = () => 'takes it';
  expect(cli(folder.path, 'outbox', 'resend', '--queued')).toMatch(/^\d+ emails? will be sent/);
  await using site = await SiteProcess.start(options);
  await expect
    .poll(async () => (await fetch(`${site.url}/api/health`)).json())
    .toMatchObject({ queues: { mail: { queued: 0, dead: 0 } } });

  const { $client: client } = open(join(folder.path, 'site.db'));
  const stored = client
    .prepare<[], { name: string }>('SELECT name FROM contact_submissions')
    .all()
    .map(({ name }) => name);
  const kinds = new Map(
    client
      .prepare<[], { id: string; kind: string }>('SELECT id, kind FROM outbox')
      .all()
      .map(({ id, kind }) => [id, kind]),
  );
  client.close();

  expect(visitors.acknowledged.length).toBeGreaterThanOrEqual(kills);
  expect(new Set(visitors.acknowledged).difference(new Set(stored))).toEqual(new Set());
  expect(new Set(stored).difference(new Set(visitors.sent))).toEqual(new Set());
  expect(new Set(stored).size).toBe(stored.length);

  expect(kinds.values()).toContain('contact-notice');
  for (const kind of new Set(kinds.values())) {
    const about = provider.delivered
      .filter(({ key }) => kinds.get(key) === kind)
      .map((delivery) => visitorOf(delivery));
    expect(about.toSorted(), kind).toEqual(stored.toSorted());
  }
  expect(provider.delivered).toHaveLength(kinds.size);
});
