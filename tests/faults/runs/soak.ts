import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { close, open } from '@app/db/open';
import { png } from '../../support/pictures.ts';
import { insertSignedInUser } from '../../support/signed-in-user.ts';
import { SiteProcess, temporaryFolder } from '../../support/site-process.ts';
import { Writer } from '../../support/writer.ts';
import type { Fault, Findings } from '../fault.ts';
import { listFiles } from '../published-files.ts';
import { Visitors } from '../visitors.ts';

interface Sample {
  /** In MB. */
  memory: number;
  handles: number;
  /** In MB. */
  wal: number;
  /** Files below DATA_DIR without those that users add. */
  files: number;
  /** In milliseconds: a page from memory waits for nothing but the event loop. */
  delay: number;
}

/** By how much the last third may exceed the first one. */
const maxGrowth: Sample = { memory: 40, handles: 15, wal: 70, files: 60, delay: 100 };

const sampleMilliseconds = 1_000;
const settleShare = 0.1;

export const soak: Fault = {
  name: 'soak',
  about: 'readers, authors, visitors, uploads, previews and searches, without growth',
  unit: 'seconds',
  amount: 1_800,
  min: 20,
  async run(seconds, findings) {
    using folder = temporaryFolder();
    {
      await using site = await SiteProcess.start({ dataDir: folder.path });
      await site.stop();
    }
    const db = open(join(folder.path, 'site.db'));
    const names = ['ann', 'bob'];
    const sessions = names.map((name) => insertSignedInUser(db, name, { role: 'staff' }));
    close(db);
    await using site = await SiteProcess.start({ dataDir: folder.path });
    const end = performance.now() + seconds * 1_000;
    const isOver = () => performance.now() > end;
    const loads = [
      read(site, isOver, findings),
      visit(site, isOver, findings),
      ...sessions.map((session) =>
        author(session, Writer.signedIn(site, session), isOver, findings),
      ),
      upload(Writer.signedIn(site, sessions[0] ?? ''), isOver, findings),
    ];
    const samples: Sample[] = [];
    while (!isOver()) {
      await pause(sampleMilliseconds);
      samples.push(await sample(site));
      if (samples.length % 60 === 0) findings.progress(JSON.stringify(samples.at(-1)));
    }
    await Promise.all(loads);
    const { code, stderr } = await site.stop();
    if (code !== 0 || stderr !== '') findings.breaks(`it ended with ${code}: ${stderr}`);
    for (const { level, msg } of site.log) {
      if (level === 'error') findings.breaks(`logged as an error: ${msg}`);
    }
    compare(samples, findings);
  },
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Medians of the first and the last third, without the first tenth, in which caches fill. */
function compare(samples: readonly Sample[], findings: Findings): void {
  const settled = samples.slice(Math.floor(samples.length * settleShare));
  const third = Math.floor(settled.length / 3);
  for (const key of Object.keys(maxGrowth) as (keyof Sample)[]) {
    const of = (part: readonly Sample[]) => median(part.map((each) => each[key]));
    const [first, last] = [of(settled.slice(0, third)), of(settled.slice(-third))];
    const round = (value: number) => Math.round(value * 10) / 10;
    findings.set(`${key}, first third`, round(first));
    findings.set(`${key}, last third`, round(last));
    if (last - first > maxGrowth[key]) {
      findings.breaks(
        `${key} grew from ${round(first)} to ${round(last)}, by more than ${maxGrowth[key]}`,
      );
    }
  }
}

async function sample(site: SiteProcess): Promise<Sample> {
  const { pid, dataDir, url } = site;
  const began = performance.now();
  await (await fetch(url)).arrayBuffer();
  const delay = performance.now() - began;
  const wal = statSync(join(dataDir, 'site.db-wal'), { throwIfNoEntry: false })?.size ?? 0;
  return {
    memory: site.memory().now,
    handles: readdirSync(`/proc/${pid}/fd`).length,
    wal: wal / 1_048_576,
    files: listFiles(join(dataDir, 'site')).length,
    delay,
  };
}

function expectStatus(
  what: string,
  { status }: Response,
  expected: number,
  findings: Findings,
): void {
  findings.count(what);
  if (status !== expected) findings.breaks(`${what} were answered with ${status}`);
}

const paths = ['/', '/blog', '/blog/rss.xml', '/contact', '/api/posts', '/api/search?q=phone'];

async function read(site: SiteProcess, isOver: () => boolean, findings: Findings): Promise<void> {
  for (let n = 0; !isOver(); n += 1) {
    const response = await fetch(site.url + paths[n % paths.length]);
    await response.arrayBuffer();
    expectStatus('reads', response, 200, findings);
    await pause(10);
  }
}

async function visit(site: SiteProcess, isOver: () => boolean, findings: Findings): Promise<void> {
  const visitors = new Visitors();
  while (!isOver()) {
    await visitors.writeOne(site.url, () => undefined);
    await pause(200);
  }
  findings.count('forms', visitors.acknowledged.length);
}

async function author(
  name: string,
  writer: Writer,
  isOver: () => boolean,
  findings: Findings,
): Promise<void> {
  for (let n = 0; !isOver(); n += 1) {
    const title = `Answering the phone ${name} ${n}`;
    const text = { title, content: 'The phone rings. '.repeat(200) };
    const preview = await writer.call('POST', '/api/posts/preview', text);
    expectStatus('previews', preview, 200, findings);
    await preview.arrayBuffer();
    const created = await writer.call('POST', '/api/posts', { ...text, published: true });
    expectStatus('posts', created, 201, findings);
    const { post } = (await created.json()) as { post: { id: string } };
    const path = `/api/posts/${post.id}`;
    const edited = await writer.call('PATCH', path, { content: `Edited ${n}.` });
    expectStatus('edits', edited, 200, findings);
    await edited.arrayBuffer();
    const deleted = await writer.call('DELETE', path, {});
    expectStatus('deletions', deleted, 200, findings);
    await deleted.arrayBuffer();
    await pause(300);
  }
}

async function upload(writer: Writer, isOver: () => boolean, findings: Findings): Promise<void> {
  for (let n = 0; !isOver(); n += 1) {
    const image = new Uint8Array(await png(40 + (n % 50)));
    const avatar = await writer.upload(image);
    expectStatus('avatars', avatar, 200, findings);
    await avatar.arrayBuffer();
    await pause(5_000);
  }
}
