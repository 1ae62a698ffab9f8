import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '@app/db/migrate';
import { close, open } from '@app/db/open';
import { EmailProvider } from '../support/email-provider.ts';
import { median, percentile } from '../support/percentile.ts';
import { SiteProcess } from '../support/site-process.ts';
import { comparison, ms, perSecond, type Row } from './row.ts';
import { arriveOneByOne } from './visitors.ts';
import { wrk } from './wrk.ts';

const rounds = 3;
const secondsARound = 4;
const visitors = 50;
const arrivalsASecond = 100;
const emailsToDrain = 2_000;

const tables = ['contact_submissions', 'outbox', 'idempotency_keys'] as const;

/**
 * Compares the rate of contact messages with bare inserts of the same rows, and measures how fast
 * the emails go out. Everything uses `synchronous=FULL` on the same disk.
 */
export async function measureSubmissions(workFolder: string): Promise<Row[]> {
  const dataDir = join(workFolder, 'submissions');
  await using provider = await EmailProvider.start();
  const options = {
    dataDir,
    env: {
      RESEND_API_KEY: 're_bench',
      RESEND_BASE_URL: provider.url,
      MAIL_FROM: 'hello@example.com',
      // Each visitor has its own IP address, so rate limiting is measured, too.
      TRUST_PROXY: '127.0.0.1,::1',
    },
  };

  // The email provider never responds, so emails do not compete.
  provider.behave = () => 'takes it late';
  const rates: { posts: number; bare: number; p99: number }[] = [];
  const waits: number[] = [];
  {
    await using site = await SiteProcess.start(options);
    for (let round = 0; round <= rounds; round += 1) {
      const script = join(workFolder, `post-${round}.lua`);
      writeFileSync(script, postScript(round, site.url));
      const began = Date.now();
      const { requestsPerSecond, p99 } = await wrk(site.url, visitors, secondsARound, script);
      const bare = bareInserts(dataDir, join(workFolder, `bare-${round}`), began);
      if (round > 0) rates.push({ posts: requestsPerSecond, bare, p99 });
    }
    waits.push(...(await arriveOneByOne(site.url, arrivalsASecond, secondsARound)));
    await site.stop();
  }
  const posts = median(rates.map((rate) => rate.posts));
  const bare = median(rates.map((rate) => rate.bare));

  const drainDir = join(workFolder, 'drain');
  copyEmails(dataDir, drainDir);
  const drain = await drainRate({ ...options, dataDir: drainDir }, provider);
  return [
    {
      what: `POST /api/contact, ${visitors} at once`,
      measured: perSecond(posts),
      aim: '≥ 60 %',
      comparisons: [comparison('inserts of the same rows', posts, bare, perSecond)],
    },
    {
      what: `POST /api/contact, ${visitors} at once, p99`,
      measured: ms(median(rates.map((rate) => rate.p99))),
      aim: '≤ 20 ms',
    },
    {
      what: `POST /api/contact, ${arrivalsASecond} a second, each on a new connection: p50 / p99`,
      measured: `${ms(percentile(waits, 50))} / ${ms(percentile(waits, 99))}`,
      aim: 'p99 ≤ 20 ms',
    },
    {
      what: 'emails sent to a provider on this machine',
      measured: perSecond(drain),
      aim: '≥ 200/s',
    },
  ];
}

/** Distinct messages with their own IP addresses and keys. @param round 0 to 255, different for each run */
export const postScript = (round: number, origin: string): string => `
local n = 0
request = function()
  n = n + 1
  local headers = {
    ["Content-Type"] = "application/json",
    ["Origin"] = "${origin}",
    ["Idempotency-Key"] = string.format("00000000-0000-4000-8000-%04d%08d", ${round}, n),
    ["X-Forwarded-For"] = string.format("10.${round}.%d.%d", n / 256 % 256, n % 256),
  }
  local body = string.format('{"name":"Visitor %d","email":"visitor-${round}-%d@example.com",' ..
    '"message":"The boiler of house ${round}-%d is out since this morning, the pilot light does not ' ..
    'stay on, and the children are cold. When can somebody come?","service":"betty"}', n, n, n)
  return wrk.format("POST", "/api/contact", headers, body)
end
`;

/** Uses one transaction per message. @returns messages per second */
function bareInserts(dataDir: string, folder: string, since: number): number {
  const written = open(join(dataDir, 'site.db'));
  const rows = tables.map((table) =>
    written.$client
      .prepare<[number], Record<string, unknown>>(
        `SELECT * FROM ${table} WHERE created_at >= ? ORDER BY rowid`,
      )
      .all(since),
  );
  close(written);

  mkdirSync(folder);
  const db = open(join(folder, 'site.db'));
  migrate(db);
  const inserts = tables.map((table, index) => {
    const names = Object.keys(rows[index]?.[0] ?? { created_at: 0 });
    return db.$client.prepare(
      `INSERT INTO ${table} (${names.map((name) => `"${name}"`)}) VALUES (${names.map((name) => `@${name}`)})`,
    );
  });
  const messages = rows[0]?.length ?? 0;
  const insertMessage = db.$client.transaction((message: number) => {
    for (const [table, all] of rows.entries()) {
      const each = all.length / messages;
      for (const row of all.slice(message * each, (message + 1) * each)) inserts[table]?.run(row);
    }
  });
  const began = performance.now();
  for (let message = 0; message < messages; message += 1) insertMessage.immediate(message);
  const seconds = (performance.now() - began) / 1_000;
  close(db);
  // Otherwise the kernel would flush it during the next round.
  rmSync(folder, { recursive: true });
  return messages / seconds;
}

/** Copies the same number of emails for every version: a faster server has more of them left. */
function copyEmails(fromDir: string, toDir: string): void {
  mkdirSync(toDir);
  const db = open(join(toDir, 'site.db'));
  migrate(db);
  db.$client.prepare('ATTACH ? AS written').run(join(fromDir, 'site.db'));
  db.$client
    .prepare('INSERT INTO outbox SELECT * FROM written.outbox WHERE attempts = 0 LIMIT ?')
    .run(2 * emailsToDrain);
  close(db);
}

/** Emails per second, from the first to the last. */
async function drainRate(
  options: Parameters<typeof SiteProcess.start>[0],
  provider: EmailProvider,
): Promise<number> {
  provider.behave = () => 'takes it';
  const before = provider.delivered.length;
  let began = Number.NaN;
  const drained = new Promise<void>((resolve) => {
    provider.notice = () => {
      const sent = provider.delivered.length - before;
      if (sent === 1) began = performance.now();
      if (sent === 1 + emailsToDrain) resolve();
    };
  });
  await using site = await SiteProcess.start(options);
  await Promise.race([
    drained,
    site.ended.then(({ stderr }) => {
      throw new Error(`the server ended: ${stderr}`);
    }),
  ]);
  const seconds = (performance.now() - began) / 1_000;
  provider.notice = () => undefined;
  await site.stop();
  return emailsToDrain / seconds;
}
