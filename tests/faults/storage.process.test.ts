import { join } from 'node:path';
import { open } from '@app/db/open';
import { expect, test } from 'vitest';
import { isFullRun } from '../support/full-run.ts';
import { SiteProcess, temporaryFolder } from '../support/site-process.ts';
import { mountDisk, needsMount } from '../support/small-disk.ts';

const post = (site: SiteProcess, body: BodyInit, type: string) =>
  fetch(`${site.url}/api/contact`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: site.url, 'Content-Type': type },
    body,
  });

const sendMessage = (site: SiteProcess, text: string) =>
  post(
    site,
    JSON.stringify({ name: 'Vera', email: 'vera@example.com', message: text }),
    'application/json',
  );

/** Sends messages until not even a short one fits into the free pages of the database's files. */
async function useUp(site: SiteProcess): Promise<void> {
  for (const length of [130, 1]) {
    while ((await sendMessage(site, crypto.randomUUID().repeat(length))).status === 201);
  }
}

const healthOf = async (site: SiteProcess) =>
  (await (await fetch(`${site.url}/api/health`)).json()) as { status: string; problems: string[] };

/** Expects reads to succeed, writes to fail, and /api/health to report the reason. */
async function expectReadsOnly(site: SiteProcess, problem: RegExp): Promise<void> {
  for (const path of ['/', '/blog', '/api/posts', '/api/auth/session']) {
    const response = await fetch(site.url + path);
    expect([path, response.status]).toEqual([path, 200]);
  }
  expect((await fetch(`${site.url}/not-there`)).status).toBe(404);

  expect((await fetch(`${site.url}/api/health/live`)).status).toBe(200);
  const ready = await fetch(`${site.url}/api/health/ready`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toMatchObject({ detail: expect.stringMatching(problem) });

  const refused = await sendMessage(site, 'while nothing can be stored');
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({
    code: 'busy',
    detail: expect.stringContaining('try again'),
  });
  const form = new URLSearchParams({ name: 'V', email: 'vera@example.com', message: 'A form' });
  const back = await post(site, String(form), 'application/x-www-form-urlencoded');
  expect([back.status, back.headers.get('Location')]).toEqual([303, '/contact#failed']);

  const health = await healthOf(site);
  expect(health.status).toBe('degraded');
  expect(health.problems.join(' ')).toMatch(problem);
  const degraded = site.log.filter(({ msg, source }) => msg === 'degraded' && source === 'storage');
  expect(degraded).toHaveLength(1);
}

async function expectRecovery(site: SiteProcess, message = 'after all'): Promise<void> {
  await expect.poll(async () => (await healthOf(site)).problems).toEqual([]);
  expect((await fetch(`${site.url}/api/health/ready`)).status).toBe(200);
  expect((await sendMessage(site, message)).status).toBe(201);
}

function storedMessages(dataDir: string): unknown[] {
  const { $client: client } = open(join(dataDir, 'site.db'));
  const rows = client.prepare('SELECT message FROM contact_submissions ORDER BY id').pluck().all();
  client.close();
  return rows;
}

type End = 'SIGTERM' | 'SIGKILL';

async function end(site: SiteProcess, signal: End): Promise<void> {
  site.signal(signal);
  await site.ended;
}

// Full runs try both signals with both states of the disk.
const ends = (signal: End): End[] => (isFullRun ? ['SIGTERM', 'SIGKILL'] : [signal]);

test.for(ends('SIGKILL'))(
  'reads succeed on a full disk, even if a server starts on it after a %s, and writes resume once there is space',
  async (signal, { skip }) => {
    using folder = temporaryFolder();
    using disk = mountDisk(join(folder.path, 'disk'));
    if (!disk) return skip(needsMount);
    const options = { dataDir: disk.dataDir };
    await using before = await SiteProcess.start(options);
    expect((await sendMessage(before, 'before')).status).toBe(201);

    disk.fill();
    await useUp(before);
    await expectReadsOnly(before, /^The disk is full/);
    disk.empty();
    await expectRecovery(before, 'in between');
    expect(before.log.filter(({ msg }) => msg === 'request failed')).toEqual([]);
    await end(before, signal);

    disk.fill();
    await using site = await SiteProcess.start(options);
    await useUp(site);
    await expectReadsOnly(site, /^The disk is full/);
    disk.empty();
    await expectRecovery(site);
    expect(await site.stop()).toEqual({ code: 0, signal: null, stderr: '' });
    const sent = ['before', 'in between', 'after all'];
    expect(storedMessages(disk.dataDir)).toEqual(expect.arrayContaining(sent));
  },
);

test.for(ends('SIGTERM'))(
  'a server starts on a read-only disk after a %s',
  async (signal, { skip }) => {
    using folder = temporaryFolder();
    using disk = mountDisk(join(folder.path, 'disk'));
    if (!disk) return skip(needsMount);
    const options = { dataDir: disk.dataDir };
    const before = await SiteProcess.start(options);
    expect((await sendMessage(before, 'before')).status).toBe(201);
    await end(before, signal);

    disk.remount('ro');
    await using site = await SiteProcess.start(options);
    await expectReadsOnly(site, /^The disk is read-only/);
    disk.remount('rw');
    await expectRecovery(site);
    expect(storedMessages(disk.dataDir)).toEqual(expect.arrayContaining(['before', 'after all']));
  },
);

test.for([
  ['full', 'free some space'],
  ['read-only', 'remount it as writable'],
] as const)(
  'a first start on a %s disk fails with one sentence',
  async ([state, advice], { skip }) => {
    using folder = temporaryFolder();
    using disk = mountDisk(join(folder.path, 'disk'));
    if (!disk) return skip(needsMount);
    if (state === 'full') disk.fill();
    else disk.remount('ro');

    const site = await SiteProcess.launch({ dataDir: disk.dataDir });

    expect(await site.ended).toEqual({
      code: 1,
      signal: null,
      stderr: `The disk of DATA_DIR ${disk.dataDir} is ${state}: ${advice}, then start again.\n`,
    });
  },
);
