import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { close, open } from '@app/db/open';
import { resendQueued } from '../../support/cli.ts';
import { readEmails } from '../../support/mailbox.ts';
import { png } from '../../support/pictures.ts';
import { insertSignedInUser } from '../../support/signed-in-user.ts';
import {
  copyPublishedSite,
  freePort,
  SiteProcess,
  temporaryFolder,
} from '../../support/site-process.ts';
import { mountDisk, needsMount } from '../../support/small-disk.ts';
import { Writer } from '../../support/writer.ts';
import type { Fault, Findings } from '../fault.ts';

type SmallDisk = NonNullable<ReturnType<typeof mountDisk>>;
type Part = 'database' | 'uploads' | 'site' | 'email';

/** Where DATA_DIR has them. */
const folders: Record<Part, string> = {
  database: '.',
  uploads: 'uploads',
  site: 'releases',
  email: 'mail',
};

const troubles = ['full', 'read-only'] as const;
type Trouble = (typeof troubles)[number];

/** In milliseconds: a publish job that failed is tried again after ten seconds at first. */
const maxRecovery = 90_000;

export const disks: Fault = {
  name: 'disks',
  about: 'the disk of the database, uploads, site or email is full or read-only',
  unit: 'count',
  amount: 5,
  min: 1,
  async run(rounds, findings) {
    for (const count of ['disk failures', 'writes acknowledged', 'writes lost']) {
      findings.count(count, 0);
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const part of Object.keys(folders) as Part[]) {
        for (const trouble of troubles) {
          await failAndRecover(part, trouble, findings);
        }
      }
    }
  },
};

async function failAndRecover(part: Part, trouble: Trouble, findings: Findings): Promise<void> {
  const what = `${part} ${trouble}`;
  using folder = temporaryFolder();
  const dataDir = join(folder.path, 'data');
  // Each on a disk of its own: what fails must not take the others with it.
  using mounted = mountAll(dataDir);
  if (!mounted) throw new Error(needsMount);
  const original = join(folder.path, 'original');
  await copyPublishedSite(original);
  cpSync(original, dataDir, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  const options = { dataDir, port: await freePort() };
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
  // Linux refuses while the server has files open for writing.
  else await first.stop().then(() => disk.remount('ro'));
  await using site = trouble === 'full' ? first : await SiteProcess.start(options);
  findings.progress(`${what}: begins`);
  findings.count('disk failures');
  for (let times = 0; times < 3; times += 1) await workMeanwhile(tasks, site, part, what, findings);

  findings.progress(`${what}: ends`);
  if (trouble === 'full') disk.empty();
  else disk.remount('rw');
  await recovered(site, what, findings);
  await expectAll('after');
  for (const { level, msg } of site.log) {
    if (level === 'error' && msg === 'request failed') findings.breaks(`${what}: logged '${msg}'`);
  }
  const { code, stderr } = await site.stop();
  if (code !== 0 || stderr !== '') findings.breaks(`${what}: it ended with ${code}: ${stderr}`);
  resendQueued(dataDir);
  await checkStored(dataDir, tasks, what, findings);
}

/** Only what needs the disk is refused, and says that it can be tried again. */
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
    // A start on a folder that it cannot write is a read-only one.
    const isReadOnly = what.endsWith('read-only');
    const isAffected =
      isReadOnly || part === 'database' || (part === 'uploads' && name.includes('upload'));
    if (!isAffected || status !== 503) findings.breaks(`${what}: ${name}: ${status} ${text}`);
  }
}

function mountAll(dataDir: string): ({ disks: Record<Part, SmallDisk> } & Disposable) | null {
  const mounted: Partial<Record<Part, SmallDisk>> = {};
  for (const [part, folder] of Object.entries(folders) as [Part, string][]) {
    const disk = mountDisk(join(dataDir, folder));
    if (!disk) return null;
    mounted[part] = disk;
  }
  const disks = mounted as Record<Part, SmallDisk>;
  const unmount = () => {
    for (const disk of Object.values(disks).reverse()) disk[Symbol.dispose]();
  };
  // Also when it is interrupted, before the folder is removed.
  process.prependListener('exit', unmount);
  return {
    disks,
    [Symbol.dispose]() {
      process.off('exit', unmount);
      unmount();
    },
  };
}

interface TaskReply {
  status: number;
  text: string;
  isStored: boolean;
}

/** What visitors and an author do all day. */
class Tasks {
  readonly messages: string[] = [];
  readonly slugs: string[] = [];
  readonly pictures: string[] = [];
  readonly #writer: Writer;
  #done = 0;

  /** @param writer at the port and URL of all servers */
  constructor(writer: Writer) {
    this.#writer = writer;
  }

  async all(): Promise<[string, TaskReply][]> {
    this.#done += 1;
    const name = `task-${this.#done}`;
    // Long: a full database may still have free pages.
    const text = `${name} ${'word '.repeat(900)}`;
    const message = await this.#do(
      this.#writer.call('POST', '/api/contact', { name, email: 'vera@example.com', message: text }),
    );
    if (message.isStored) this.messages.push(name);
    const post = { title: name, slug: name, content: text.repeat(30), published: true };
    const saved = await this.#do(this.#writer.call('POST', '/api/posts', post));
    if (saved.isStored) this.slugs.push(name);
    const image = new Uint8Array(await png(40 + this.#done));
    const avatar = await this.#do(this.#writer.upload(image));
    const picture = await this.#do(this.#writer.uploadPicture(image));
    if (picture.isStored) this.pictures.push((JSON.parse(picture.text) as { path: string }).path);
    return [
      ['a message', message],
      ['a post', saved],
      ['an avatar upload', avatar],
      ['a picture upload', picture],
    ];
  }

  async #do(sent: Promise<Response>): Promise<TaskReply> {
    const response = await sent;
    const { status, ok } = response;
    return { status, text: await response.text(), isStored: ok };
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

/** After a restart, with what the owner resends. */
async function checkStored(
  dataDir: string,
  tasks: Tasks,
  what: string,
  findings: Findings,
): Promise<void> {
  await using site = await SiteProcess.start({ dataDir });
  const db = open(join(dataDir, 'site.db'));
  const rows = db.$client
    .prepare<[], { name: string; spam_signals: string | null }>(
      'SELECT name, spam_signals FROM contact_submissions',
    )
    .all();
  const stored = new Set(rows.map(({ name }) => name));
  // Others are in quarantine.
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
  findings.count('writes acknowledged', tasks.messages.length + tasks.slugs.length);
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
