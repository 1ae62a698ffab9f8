import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '@app/api/src/log.ts';
import { prepareDataFolder } from '@app/api/src/storage/data-folder/startup.ts';
import type { AvatarSaved } from '@app/contract/accounts/avatars';
import type { PostSaved } from '@app/contract/blog/posts';
import { verifySnapshot } from '@app/db/snapshot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cli } from '../support/cli.ts';
import { killAtRename } from '../support/kill-at-rename.ts';
import { moveSiteAside } from '../support/move-aside.ts';
import { png } from '../support/pictures.ts';
import { SiteProcess, temporaryFolder } from '../support/site-process.ts';
import { mountDisk, needsMount } from '../support/small-disk.ts';
import { Writer } from '../support/writer.ts';

async function upload(writer: Writer): Promise<string> {
  const response = await writer.upload(new Uint8Array(await png(1, 1)));
  expect(response.status).toBe(200);
  return ((await response.json()) as AvatarSaved).avatarUrl;
}

async function publish(writer: Writer, slug: string): Promise<PostSaved> {
  const post = { title: slug, slug, content: `${slug} as written.`, published: true };
  const response = await writer.call('POST', '/api/posts', post);
  expect(response.status).toBe(201);
  return (await response.json()) as PostSaved;
}

/** Paths with their status and body. */
const served = (site: SiteProcess, paths: readonly string[]) =>
  Promise.all(
    paths.map(async (path) => {
      const response = await fetch(site.url + path);
      const bytes = Buffer.from(await response.arrayBuffer());
      return [path, response.status, response.ok ? bytes.toString('latin1') : ''] as const;
    }),
  );

test('a restore that was killed and repeated serves the pages, bylines and pictures of the backup', async () => {
  using folder = temporaryFolder();
  const dataDir = join(folder.path, 'data');
  const options = { dataDir };
  const file = join(folder.path, 'site.tar.gz');
  let before: Awaited<ReturnType<typeof served>>;
  let paths: string[];
  {
    await using site = await SiteProcess.start(options);
    const writer = Writer.add(site);
    await writer.call('PATCH', '/api/profile', { fullName: 'Ann Author' });
    const avatarUrl = await upload(writer);
    const { post } = await publish(writer, 'edited');
    const { post: doomed } = await publish(writer, 'deleted');
    paths = ['/blog', '/blog/rss.xml', '/blog/edited', '/blog/deleted', '/blog/later', avatarUrl];
    // Lists and neighboring posts are rendered after the reply.
    for (const [path, text] of [
      ['/blog/rss.xml', 'deleted as written.'],
      ['/blog/edited', '/blog/deleted'],
    ] as const) {
      await expect.poll(async () => (await fetch(site.url + path)).text()).toContain(text);
    }
    before = await served(site, paths);
    expect(before.map(([, status]) => status)).toEqual([200, 200, 200, 200, 404, 200]);
    expect(before[2]?.[2]).toMatch(/Ann Author/);
    expect(await cli(dataDir, ['backup', file])).toMatchObject({ code: 0 });

    await writer.call('PATCH', `/api/posts/${post.id}`, { content: 'edited after the backup' });
    await writer.call('DELETE', `/api/posts/${doomed.id}`, undefined);
    await publish(writer, 'later');
    await writer.call('PATCH', '/api/profile', { fullName: 'Somebody Else' });
    await upload(writer);
    expect(await cli(dataDir, ['restore', file])).toMatchObject({
      code: 1,
      err: `A server is using DATA_DIR ${dataDir}: stop it, then try again. Nothing was changed.\n`,
    });
    await site.stop();
  }
  moveSiteAside(dataDir);
  const killed = await cli(dataDir, ['restore', file], { node: killAtRename(1) });
  expect(killed.signal).toBe('SIGKILL');
  const { err } = await cli(dataDir, ['restore', file]);
  execFileSync('sh', ['-c', err.split('\n').at(-2) ?? '']);
  expect(await cli(dataDir, ['restore', file])).toMatchObject({ code: 0 });
  await using site = await SiteProcess.start(options);
  expect(await served(site, paths)).toEqual(before);
});

let template: string;

beforeAll(async () => {
  template = mkdtempSync(join(tmpdir(), 'site-'));
  const dataDir = join(template, 'data');
  const site = await SiteProcess.start({ dataDir });
  const writer = Writer.add(site);
  await publish(writer, 'backed-up');
  await upload(writer);
  await cli(dataDir, ['backup', join(template, 'site.tar.gz')]);
  await publish(writer, 'later');
  await site.stop();
});

afterAll(() => rmSync(template, { recursive: true }));

test('a backup to a full disk leaves nothing there', async ({ skip }) => {
  using folder = temporaryFolder();
  using disk = mountDisk(join(folder.path, 'disk'));
  if (!disk) return skip(needsMount);
  disk.fill();
  const file = join(folder.path, 'disk/site.tar.gz');
  expect(await cli(join(template, 'data'), ['backup', file])).toMatchObject({
    code: 1,
    err: expect.stringContaining(
      '\nThe disk is full; nothing was changed. Free some space and try',
    ),
  });
  expect(readdirSync(join(folder.path, 'disk'))).toEqual(['filler']);
});

test('a restore that is killed at any step leaves the whole site, or none that a server starts', async () => {
  const start = (dataDir: string) =>
    prepareDataFolder(dataDir, { startNew: false, now: Date.now(), log: createLog('silent') });
  for (let n = 0; ; n += 1) {
    using folder = temporaryFolder();
    const dataDir = join(folder.path, 'data');
    const args = ['restore', join(template, 'site.tar.gz')];
    const { code, signal } = await cli(dataDir, args, { node: killAtRename(n) });
    if (signal === 'SIGKILL') {
      expect(() => start(dataDir)).toThrow(/^DATA_DIR contains a site but no database/);
      continue;
    }
    expect(code).toBe(0);
    start(dataDir);
    expect(verifySnapshot(join(dataDir, 'site.db')).counts['blog_posts']).toBe(1);
    const uploads = (of: string) => readdirSync(join(of, 'uploads'), { recursive: true }).sort();
    expect(uploads(dataDir)).toEqual(uploads(join(template, 'data')));
    // Both sizes of the avatar, and the database.
    expect(n).toBe(3);
    return;
  }
});

test('a backup that is killed leaves no archive, and the next one succeeds', async () => {
  using folder = temporaryFolder();
  const dataDir = join(template, 'data');
  const options = { node: killAtRename(0) };
  expect(await cli(dataDir, ['backup', folder.path], options)).toMatchObject({ signal: 'SIGKILL' });
  expect(readdirSync(folder.path).filter((name) => !name.startsWith('.'))).toEqual([]);
  expect(await cli(dataDir, ['backup', folder.path])).toMatchObject({ code: 0 });
  const [archive = ''] = readdirSync(folder.path).filter((name) => !name.startsWith('.'));
  expect(await cli('/nowhere', ['verify', join(folder.path, archive)])).toMatchObject({ code: 0 });
});
