import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { close, open } from '@app/db/open';
import { freePort } from '@app/db/testing/free-port';
import { resendQueued } from '../../support/cli.ts';
import { readEmails } from '../../support/mailbox.ts';
import { insertSignedInUser } from '../../support/signed-in-user.ts';
import { copyPublishedSite, SiteProcess, temporaryFolder } from '../../support/site-process.ts';
import { needsMount } from '../../support/small-disk.ts';
import { Writer } from '../../support/writer.ts';
import type { Findings } from '../fault.ts';
import { mountAll, type Part } from './mount-all.ts';
import { Tasks } from './tasks.ts';

export const troubles = ['full', 'read-only'] as const;
type Trouble = (typeof troubles)[number];

/** In milliseconds. The first retry of a failed publish job is after ten seconds. */
const maxRecovery = 90_000;

/**
 * Visitors and an author write before, during and after the failure. With a full disk, only writes
 * that need it are refused; a server that starts on a read-only folder refuses all writes.
 */
export async function failDisk(part: Part, trouble: Trouble, findings: Findings): Promise<void> {
  const what = `${part} ${trouble}`;
  for (const count of ['disk failures', 'writes refused', 'writes acknowledged', 'writes lost']) {
    findings.count(count, 0);
  }
  using folder = temporaryFolder();
  const dataDir = join(folder.path, 'data');
  using mounted = mountAll(dataDir);
  if (!mounted) throw new Error(needsMount);
  const original = join(folder.path, 'original');
  const published = await copyPublishedSite(original);
  cpSync(original, dataDir, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  const port = await freePort();
  // With the URL of the published pages, they are not rendered again.
  const env = { PUBLIC_URL: `http://localhost:${published?.port ?? port}` };
  const options = { dataDir, port, env };
  await using first = await SiteProcess.start(options);
  const db = open(join(dataDir, 'site.db'));
  const session = insertSignedInUser(db, 'ann', { role: 'staff' });
  close(db);
  const tasks = new Tasks(Writer.signedIn(first, session));
  const expectAll = async (when: string) => {
    for (const [name, reply] of await tasks.all()) {
      if (!reply.isStored) findings.breaks(`${what}: ${when}, ${name}: ${reply.text}`);
    }
  };
  await expectAll('before');

  const disk = mounted.disks[part];
  if (trouble === 'full') disk.fill();
  // Linux refuses to remount while the server has files open for writing.
  else await first.stop().then(() => disk.remount('ro'));
  await using site = trouble === 'full' ? first : await SiteProcess.start(options);
  findings.count('disk failures');
  for (let times = 0; times < 3; times += 1) await workMeanwhile(tasks, site, part, what, findings);

  if (trouble === 'full') disk.empty();
  else disk.remount('rw');
  await recovered(site, what, findings);
  await expectAll('after');
  for (const { level, msg } of site.log) {
    if (level === 'error' && msg === 'request failed') findings.breaks(`${what}: logged '${msg}'`);
  }
  const { code, stderr } = await site.stop();
  if (code !== 0 || stderr !== '')
    findings.breaks(`${what}: the server ended with ${code}: ${stderr}`);
  resendQueued(dataDir);
  await checkStored(options, tasks, what, findings);
}

/** Expects that only writes that need the disk are refused, with 503. */
async function workMeanwhile(
  tasks: Tasks,
  site: SiteProcess,
  part: Part,
  what: string,
  findings: Findings,
): Promise<void> {
  await readAll(site, what, findings);
  for (const [name, { status, text, isStored }] of await tasks.all()) {
    if (isStored) continue;
    findings.count('writes refused');
    const isReadOnly = what.endsWith('read-only');
    const isAffected =
      isReadOnly || part === 'database' || (part === 'uploads' && name.includes('upload'));
    if (!isAffected || status !== 503) findings.breaks(`${what}: ${name}: ${status} ${text}`);
  }
}

async function readAll(site: SiteProcess, what: string, findings: Findings): Promise<void> {
  for (const path of ['/', '/blog', '/api/posts', '/api/health', '/api/health/live']) {
    const { status } = await fetch(site.url + path);
    if (status !== 200) findings.breaks(`${what}: ${path} was answered with ${status}`);
  }
}

async function recovered(site: SiteProcess, what: string, findings: Findings): Promise<void> {
  const deadline = performance.now() + maxRecovery;
  for (;;) {
    const response = await fetch(`${site.url}/api/health`);
    const { status, problems } = (await response.json()) as { status: string; problems: string[] };
    if (status === 'ok') return;
    if (performance.now() > deadline) {
      findings.breaks(`${what}: not recovered after ${maxRecovery} ms: ${problems.join(' ')}`);
      return;
    }
    await pause(200);
  }
}

/** Restarts the server, and checks what was acknowledged, including emails that were resent. */
async function checkStored(
  options: { dataDir: string; env: Record<string, string> },
  tasks: Tasks,
  what: string,
  findings: Findings,
): Promise<void> {
  const { dataDir } = options;
  await using site = await SiteProcess.start(options);
  const db = open(join(dataDir, 'site.db'));
  const rows = db.$client
    .prepare<[], { name: string; spam_signals: string | null }>(
      'SELECT name, spam_signals FROM contact_submissions',
    )
    .all();
  const stored = new Set(rows.map(({ name }) => name));
  // No emails are sent about messages in quarantine.
  const delivered = rows.filter((row) => row.spam_signals === null).map(({ name }) => name);
  close(db);
  const lost = [
    ...tasks.messages.filter((name) => !stored.has(name)).map((name) => `message ${name}`),
    ...tasks.slugs
      .filter((slug) => !existsSync(join(dataDir, `site/blog/${slug}.html`)))
      .map((slug) => `page ${slug}`),
    ...tasks.pictures
      .filter((path) => !existsSync(join(dataDir, `uploads${path}`)))
      .map((path) => `picture ${path}`),
  ];
  const { messages, slugs, pictures } = tasks;
  findings.count('writes acknowledged', messages.length + slugs.length + pictures.length);
  findings.count('writes lost', lost.length);
  for (const text of lost) findings.breaks(`${what}: lost ${text}`);
  const deadline = performance.now() + maxRecovery;
  for (;;) {
    const emails = await readEmails(dataDir);
    const sent = new Set(emails.map(({ subject }) => subject));
    const waiting = delivered.filter((name) => !sent.has(`Message from ${name}`));
    if (waiting.length === 0) break;
    if (performance.now() > deadline) {
      for (const name of waiting) findings.breaks(`${what}: the email of ${name} was not sent`);
      break;
    }
    await pause(200);
  }
  await site.stop();
}
