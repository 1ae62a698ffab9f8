import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { PostSaved } from '@app/contract/blog/posts';
import { expect, test } from 'vitest';
import { SiteProcess, temporaryFolder } from '../support/site-process.ts';
import { Writer } from '../support/writer.ts';

const problemsOf = (site: SiteProcess) =>
  site.log
    .filter(({ level }) => level === 'warn' || level === 'error')
    .map(({ msg }) => msg)
    // Normal on a busy machine.
    .filter((msg) => msg !== 'slow request');

test('old slugs redirect, and the server recovers from damaged state and unfinished releases', async () => {
  using folder = temporaryFolder();
  const options = { dataDir: folder.path };
  const inSite = (name: string) => join(folder.path, 'site', name);
  {
    await using site = await SiteProcess.start(options);
    const writer = Writer.add(site);
    const post = { title: 'One', content: 'Text', published: true };
    const saved = (await (await writer.call('POST', '/api/posts', post)).json()) as PostSaved;
    await writer.call('PATCH', `/api/posts/${saved.post.id}`, { slug: 'two' });
    // Only other hosts serve this file.
    expect(existsSync(inSite('blog/one.html'))).toBe(true);
    const moved = await fetch(`${site.url}/blog/one`, { redirect: 'manual' });
    expect([moved.status, moved.headers.get('Location')]).toEqual([301, '/blog/two']);
    await site.stop();
  }

  const page = readFileSync(inSite('blog/two.html'), 'utf8');
  writeFileSync(`${join(folder.path, readlinkSync(join(folder.path, 'site')))}.json`, 'damaged');
  mkdirSync(join(folder.path, 'releases', 'half-made'));
  appendFileSync(join(folder.path, 'releases', 'half-made', 'index.html'), 'half');
  await using site = await SiteProcess.start(options);
  expect(await (await fetch(`${site.url}/blog/two`)).text()).toBe(page);
  await site.logged('republished all pages');
  expect(await (await fetch(`${site.url}/blog/two`)).text()).toBe(page);
  expect(problemsOf(site)).toEqual([]);
  await expect.poll(() => readdirSync(join(folder.path, 'releases'))).toHaveLength(2);
});
