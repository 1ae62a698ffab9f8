import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { close, open } from '@app/db/open';
import { resendQueued } from '../../support/cli.ts';
import { openDatabase } from '../../support/database.ts';
import { EmailProvider } from '../../support/email-provider.ts';
import { png } from '../../support/pictures.ts';
import { untilSent } from '../../support/queues.ts';
import { insertSignedInUser } from '../../support/signed-in-user.ts';
import { SiteProcess, stoppedSite, temporaryFolder } from '../../support/site-process.ts';
import { Writer } from '../../support/writer.ts';
import { type Fault, type Findings, isProgressDue } from '../fault.ts';
import { flaky, flakyAtFirst, troublesMet } from '../flaky-provider.ts';
import { ageStagedPictures, orphanedUploads, Uploads } from '../uploads.ts';
import { emailProblems, lostWrites, Visitors } from '../visitors.ts';

/** One in so many kills hits a server during startup. */
const killsWhileStarting = 5;
/** Max events between a start and a kill. */
const maxEvents = 40;
const visitorsAtOnce = 4;
/** The limit is 200 pictures per hour for each. */
const uploaders = 40;
/** In milliseconds. The first cleanup begins five seconds after a start. */
const maxCleanup = 60_000;

interface World {
  options: Parameters<typeof SiteProcess.start>[0];
  visitors: Visitors;
  uploads: Uploads;
  provider: EmailProvider;
  findings: Findings;
}

export const writeKills: Fault = {
  name: 'write-kills',
  about: 'kill -9 while messages, sign-ups and uploads arrive and the email provider fails',
  unit: 'count',
  amount: 1_000,
  min: 1,
  async run(kills, findings) {
    using folder = temporaryFolder();
    await using provider = await EmailProvider.start();
    const world = await makeWorld(folder.path, provider, findings);
    const { visitors, uploads, options } = world;
    provider.behave = flakyAtFirst(flaky);
    for (let kill = 0; kill < kills; kill += 1) {
      if (kill % killsWhileStarting === 0) await killWhileItStarts(world);
      else await killWhileItWorks(world, kill);
      findings.count('kills');
      if (isProgressDue(kill + 1, kills)) findings.progress(`${kill + 1} of ${kills} kills`);
    }
    findings.count('failures of the email provider', troublesMet(provider));

    findings.count('files left over by the last kill', orphanedUploads(folder.path).length);
    provider.behave = () => 'takes it';
    resendQueued(folder.path);
    ageStagedPictures(folder.path);
    await using site = await SiteProcess.start(options);
    await untilSent(site);
    using db = openDatabase(folder.path);
    const lost = [...lostWrites(db, visitors), ...uploads.lost(folder.path)];
    for (const text of lost) findings.breaks(`lost: ${text}`);
    findings.set('writes acknowledged', visitors.acknowledged.length + uploads.acknowledged);
    findings.set('writes lost', lost.length);
    findings.set('emails delivered', provider.delivered.length);
    for (const problem of emailProblems(db, provider)) findings.breaks(problem);
    const orphans = await orphansAfterCleanup(folder.path);
    findings.set('files left over', orphans.length);
    for (const name of orphans) findings.breaks(`left over after the cleanup: ${name}`);
  },
};

async function makeWorld(
  dataDir: string,
  provider: EmailProvider,
  findings: Findings,
): Promise<World> {
  const options = {
    dataDir,
    port: await stoppedSite(dataDir),
    env: {
      RESEND_API_KEY: 're_test',
      RESEND_BASE_URL: provider.url,
      MAIL_FROM: 'hello@example.com',
    },
  };
  const db = open(join(dataDir, 'site.db'));
  const sessions = Array.from({ length: uploaders }, (_, n) =>
    insertSignedInUser(db, `uploader-${n}`, { role: 'staff' }),
  );
  close(db);
  const pictures = await Promise.all([40, 60].map((width) => png(width)));
  const uploads = new Uploads(sessions, pictures);
  return { options, visitors: new Visitors(), uploads, provider, findings };
}

/**
 * Every other server is killed only after it has begun to send email: most kills come before the
 * thread that renders emails has started.
 */
async function killWhileItWorks(world: World, kill: number): Promise<void> {
  const { options, visitors, uploads, provider, findings } = world;
  await using site = await SiteProcess.start(options);
  if (kill % 2 === 0) {
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
  await Promise.all([
    ...Array.from({ length: visitorsAtOnce }, () => visitors.write(site.url, () => isGone, notice)),
    uploads.write(
      (session) => Writer.signedIn(site, session),
      () => isGone,
      notice,
    ),
  ]);
  provider.notice = () => undefined;
  await expectKilled(site, findings);
}

async function killWhileItStarts({ options, findings }: World): Promise<void> {
  await using site = await SiteProcess.launch(options);
  for (let tries = randomInt(60); tries > 0; tries -= 1) {
    await fetch(`${site.url}/api/health`).catch(() => undefined);
  }
  site.signal('SIGKILL');
  await expectKilled(site, findings);
}

async function expectKilled(site: SiteProcess, findings: Findings): Promise<void> {
  const { signal, code, stderr } = await site.ended;
  if (signal !== 'SIGKILL') findings.breaks(`the server ended with ${code}: ${stderr}`);
  else if (stderr !== '') findings.breaks(`the server wrote to its standard error: ${stderr}`);
}

async function orphansAfterCleanup(dataDir: string): Promise<string[]> {
  const deadline = performance.now() + maxCleanup;
  for (;;) {
    const orphans = orphanedUploads(dataDir);
    if (orphans.length === 0 || performance.now() > deadline) return orphans;
    await pause(100);
  }
}
