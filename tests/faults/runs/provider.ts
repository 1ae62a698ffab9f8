import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { close, open } from '@app/db/open';
import { freePort } from '@app/db/testing/free-port';
import { resendQueued } from '../../support/cli.ts';
import { openDatabase } from '../../support/database.ts';
import { EmailProvider } from '../../support/email-provider.ts';
import { untilSent } from '../../support/queues.ts';
import { publishedPort, SiteProcess, temporaryFolder } from '../../support/site-process.ts';
import type { Fault, Findings } from '../fault.ts';
import { garbage, slowGarbage, startGarbageProvider } from '../garbage-provider.ts';
import { emailProblems, lostWrites, Visitors } from '../visitors.ts';

/** In milliseconds. The server waits thirty seconds for a reply. */
const maxWait = 60_000;
/** In characters: the status, and 200 characters of the response. */
const maxReason = 210;

export const provider: Fault = {
  name: 'provider',
  about: 'the email provider is down, slow, or replies with garbage',
  unit: 'count',
  amount: 10,
  min: 1,
  async run(rounds, findings) {
    using folder = temporaryFolder();
    const port = await freePort();
    const options = {
      dataDir: folder.path,
      port: await publishedPort(folder.path),
      env: {
        RESEND_API_KEY: 're_test',
        RESEND_BASE_URL: `http://127.0.0.1:${port}`,
        MAIL_FROM: 'hello@example.com',
      },
    };
    const visitors = new Visitors();
    {
      await using site = await SiteProcess.start(options);
      // Loads the code that renders emails before the memory is measured.
      await sendOne(site, visitors, null, 'nobody listens', findings);
      const before = site.memory().now;
      for (let round = 1; round <= rounds; round += 1) {
        for (const [name, answer] of Object.entries(garbage)) {
          using server = startGarbageProvider(port, [answer]);
          await sendOne(site, visitors, server, name, findings);
        }
        await sendOne(site, visitors, null, 'nobody listens', findings);
        if (rounds > 1) {
          using server = startGarbageProvider(port, Object.values(slowGarbage));
          await sendOne(site, visitors, server, 'slow', findings);
        }
        findings.progress(`${round} of ${rounds} rounds`);
      }
      const growth = site.memory().peak - before;
      findings.set('MB of growth at the peak', growth);
      if (growth > 100) findings.breaks(`memory grew by ${growth} MB`);
      for (const { level, msg } of site.log) {
        if (level === 'error') findings.breaks(`logged as an error: ${msg}`);
      }
      const { code, stderr } = await site.stop();
      if (code !== 0 || stderr !== '') findings.breaks(`the server ended with ${code}: ${stderr}`);
    }

    await using honest = await EmailProvider.start(port);
    resendQueued(folder.path);
    await using site = await SiteProcess.start(options);
    await untilSent(site);
    using db = openDatabase(folder.path);
    const lost = lostWrites(db, visitors);
    findings.set('writes acknowledged', visitors.acknowledged.length);
    findings.set('writes lost', lost.length);
    findings.set('emails delivered', honest.delivered.length);
    for (const text of lost) findings.breaks(`lost: ${text}`);
    for (const problem of emailProblems(db, honest)) findings.breaks(problem);
  },
};

/** Sends a form, and expects its emails to be queued with the reason of the failure. */
async function sendOne(
  site: SiteProcess,
  visitors: Visitors,
  server: { requests(): number } | null,
  name: string,
  findings: Findings,
): Promise<void> {
  const known = new Set(Object.keys(reasonsIn(site.dataDir)));
  await visitors.writeOne(site.url, () => undefined);
  const deadline = performance.now() + maxWait;
  for (;;) {
    const news = Object.entries(reasonsIn(site.dataDir)).filter(([id]) => !known.has(id));
    const isTried = news.length > 0 && news.every(([, { reason }]) => reason !== null);
    if (isTried) {
      for (const [, { state, reason }] of news) {
        if (state !== 'queued') findings.breaks(`${name}: an email is ${state}: ${reason}`);
        if ((reason ?? '').length > maxReason)
          findings.breaks(`${name}: the reason is too long: ${reason}`);
      }
      break;
    }
    if (performance.now() > deadline) {
      findings.breaks(`${name}: no result: ${JSON.stringify(news)}`);
      break;
    }
    await pause(20);
  }
  findings.count('bad replies', Math.max(1, server?.requests() ?? 1));
}

function reasonsIn(dataDir: string): Record<string, { state: string; reason: string | null }> {
  const db = open(join(dataDir, 'site.db'));
  const rows = db.$client
    .prepare<[], { id: string; state: string; reason: string | null }>(
      'SELECT id, state, last_error AS reason FROM outbox',
    )
    .all();
  close(db);
  return Object.fromEntries(rows.map(({ id, ...row }) => [id, row]));
}
