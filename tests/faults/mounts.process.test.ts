import { cpSync, existsSync, globSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Picture } from '@app/contract/blog/picture-replies';
import { expect, test } from 'vitest';
import { cli } from '../support/cli.ts';
import { isFullRun } from '../support/full-run.ts';
import { png } from '../support/pictures.ts';
import { SiteProcess, stoppedSite, temporaryFolder } from '../support/site-process.ts';
import { mountDisk, needsMount } from '../support/small-disk.ts';
import { Writer } from '../support/writer.ts';

const image = new Uint8Array(await png(1, 1));

test.runIf(isFullRun)('folders of DATA_DIR can be separate file systems', async ({ skip }) => {
  using folder = temporaryFolder();
  const dataDir = join(folder.path, 'data');
  const archive = join(folder.path, 'site.tar.gz');
  const port = await stoppedSite(dataDir);
  using disks = new DisposableStack();
  for (const name of ['uploads', 'trash', 'mail', 'before-migration', 'releases']) {
    const [path, copy] = [join(dataDir, name), join(folder.path, name)];
    mkdirSync(path, { recursive: true });
    cpSync(path, copy, { recursive: true });
    const disk = mountDisk(path);
    if (!disk) return skip(needsMount);
    disks.use(disk);
    cpSync(copy, path, { recursive: true });
  }
  await using site = await SiteProcess.start({ dataDir, port });
  const writer = await Writer.signUp(site);
  const inTrash = (pattern: string) => globSync(`*/${pattern}`, { cwd: join(dataDir, 'trash') });

  expect((await writer.upload(image)).status).toBe(200);
  expect((await writer.upload(image)).status).toBe(200);
  await expect.poll(() => inTrash('avatars/*/*.webp')).toHaveLength(2);
  expect(globSync('avatars/*/*', { cwd: join(dataDir, 'uploads') })).toHaveLength(2);

  const stored = await writer.uploadPicture(image);
  expect(stored.status).toBe(201);
  const { id } = (await stored.json()) as Picture;
  expect((await writer.call('DELETE', `/api/posts/pictures/${id}`, {})).status).toBe(200);
  await expect.poll(() => inTrash(`pictures/${id}/*`).length).toBeGreaterThan(0);
  expect(existsSync(join(dataDir, 'uploads/pictures', id))).toBe(false);

  const post = { title: 'A post', slug: 'a-post', content: 'Text.', published: true };
  expect((await writer.call('POST', '/api/posts', post)).status).toBe(201);
  expect((await fetch(`${site.url}/blog/a-post`)).status).toBe(200);
  expect(await cli(dataDir, ['backup', archive])).toMatchObject({ code: 0 });
  expect(site.log.filter(({ level }) => level === 'error')).toEqual([]);
  await site.stop();

  // An empty disk for the uploads of a restored site.
  const target = join(folder.path, 'restored');
  mkdirSync(join(target, 'uploads'), { recursive: true });
  const disk = mountDisk(join(target, 'uploads'));
  if (!disk) return skip(needsMount);
  disks.use(disk);
  const restored = await cli(target, ['restore', archive]);
  expect(restored).toMatchObject({ code: 0, out: expect.stringContaining('2 uploaded files') });
  expect(globSync('avatars/*/*', { cwd: join(target, 'uploads') })).toHaveLength(2);

  rmSync(join(dataDir, 'site.db'));
  const refused = await SiteProcess.launch({ dataDir, port, options: ['--new'] });
  expect(await refused.ended).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      / is a mount point, which cannot be moved: .* Nothing was changed/,
    ),
  });
  expect(readdirSync(dataDir).filter((name) => name.startsWith('previous-'))).toEqual([]);
});
