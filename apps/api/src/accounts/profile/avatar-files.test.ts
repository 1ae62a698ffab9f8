import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PostSaved } from '@app/contract/blog/posts';
import { day, hour } from '@app/contract/durations';
import { copyTestDatabase } from '@app/db/testing/test-database';
import { expect, test } from 'vitest';
import { emptyTrash } from '../../storage/uploads/empty-trash.ts';
import { both, filesIn, picture, profileOf, savedBy } from '../../testing/avatars.ts';
import { makeDataDir, rendererWith } from '../../testing/blog.ts';
import { pathsLoggedBy } from '../../testing/logged-paths.ts';
import { putAvatar } from '../../testing/pictures.ts';
import { makeTestApp, signedInBrowser } from '../../testing/test-app.ts';
import { makeRenderer } from '../../testing/test-renderer.ts';
import { until } from '../../testing/until.ts';
import { avatarNames, uploadTimeOf } from './avatar-files.ts';

test('updates the author’s pages, and keeps the old avatar until then', async () => {
  const dataDir = makeDataDir();
  let holdsUp = Promise.resolve();
  const renderer = rendererWith(makeRenderer(dataDir), () => holdsUp);
  await using testApp = await makeTestApp({ publishes: true, dataDir, renderer });
  const { deps } = testApp;
  const ann = await signedInBrowser(testApp);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const published = { title: 'Title', content: 'Text', published: true };
  await ann.post('/api/posts', { ...published, slug: 'anns' });
  await bob.post('/api/posts', { ...published, slug: 'bobs' });
  const draft = await ann.post('/api/posts', { ...published, slug: 'a-draft', published: false });
  expect(((await draft.json()) as PostSaved).post.published).toBe(false);
  const page = async (path: string) => {
    const file = await deps.siteFiles.load(path);
    return file?.representations.identity.body.toString() ?? '';
  };

  const first = await savedBy(await putAvatar(ann, await picture()));
  await deps.avatars.settled();
  for (const path of ['/blog', '/blog/anns', '/blog/rss.xml']) {
    expect(await page(path)).toContain(first);
  }
  expect(await page('/blog/bobs')).not.toContain(first);

  const gate = Promise.withResolvers<void>();
  holdsUp = gate.promise;
  const second = await savedBy(await putAvatar(ann, await picture()));
  // The reply did not wait: readers of the old page still see the old avatar.
  expect(await page('/blog/anns')).toContain(first);
  expect((await testApp.browser().get(first)).status).toBe(200);
  gate.resolve();
  await deps.avatars.settled();
  expect(await page('/blog/anns')).toContain(second);
  expect((await testApp.browser().get(first)).status).toBe(404);

  await ann.send('PATCH', '/api/profile', { fullName: 'Ann Author' });
  await until(async () => (await page('/blog/anns')).includes('Ann Author'));
  await until(() => deps.publisher.depth() === 0);
  expect(await page('/blog')).toContain('Ann Author');

  await ann.request('DELETE', '/api/profile/avatar');
  await deps.avatars.settled();
  expect(await page('/blog/anns')).not.toContain('/uploads/');
});

test('publishes nothing if no page changes', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { deps } = testApp;
  const ann = await signedInBrowser(testApp);
  await ann.post('/api/posts', { title: 'A draft', content: 'Text' });
  const pathsOf = (work: () => Promise<unknown>) => pathsLoggedBy(deps.db, work);
  const rename = (fields: object) => pathsOf(() => ann.send('PATCH', '/api/profile', fields));
  const removeAvatar = () => pathsOf(() => ann.request('DELETE', '/api/profile/avatar'));
  expect(await rename({ fullName: 'Ann Author' })).toEqual([]);
  expect(await pathsOf(async () => putAvatar(ann, await picture()))).toEqual([]);
  await deps.avatars.settled();

  await ann.post('/api/posts', { title: 'A post', content: 'Text', published: true });
  expect(await rename({ fullName: 'Ann Author', username: 'ann' })).toEqual([]);
  expect(await rename({ fullName: 'Ann Other' })).toContain('/blog/a-post');
  expect(await removeAvatar()).toContain('/blog/a-post');
  expect(await removeAvatar()).toEqual([]);
});

test('keeps a replaced avatar in the trash for 30 days without serving it', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { avatars } = testApp.deps;
  const ann = await signedInBrowser(testApp);
  const first = await savedBy(await putAvatar(ann, await picture()));
  const second = await savedBy(await putAvatar(ann, await picture()));
  await avatars.settled();
  const inTrash = (url: string) =>
    both(url).map((path) => path.replace('/uploads/', '/trash/2026-03-01/'));
  expect(await filesIn(testApp, 'trash')).toEqual(inTrash(first));
  await ann.request('DELETE', '/api/profile/avatar');
  await avatars.settled();
  expect(await filesIn(testApp, 'trash')).toEqual([...inTrash(first), ...inTrash(second)].sort());
  expect(await filesIn(testApp)).toEqual([]);
  for (const path of [first, second, ...inTrash(first)]) {
    expect((await testApp.browser().get(path)).status).toBe(404);
  }

  testApp.clock.move(30 * day);
  await emptyTrash(testApp.deps);
  expect(await filesIn(testApp, 'trash')).toHaveLength(4);
  testApp.clock.move(day);
  await emptyTrash(testApp.deps);
  expect(await filesIn(testApp, 'trash')).toEqual([]);
});

test('restores an avatar from the trash for a restored database', async () => {
  const dataDir = makeDataDir();
  let first: string;
  const older = join(makeDataDir(), 'older.db');
  {
    await using testApp = await makeTestApp({ publishes: true, dataDir });
    const ann = await signedInBrowser(testApp);
    first = await savedBy(await putAvatar(ann, await picture()));
    copyTestDatabase(join(dataDir, 'site.db'), older);
    await putAvatar(ann, await picture());
    await testApp.deps.avatars.settled();
    expect(await filesIn(testApp)).not.toContain(first);
  }
  await rename(older, join(dataDir, 'site.db'));
  await using testApp = await makeTestApp({ publishes: true, dataDir });
  expect(await filesIn(testApp)).toEqual(both(first));
  expect((await testApp.browser().get(first)).status).toBe(200);
});

test('moves avatars of unknown accounts to the trash', async () => {
  const dataDir = makeDataDir();
  let avatarUrl: string;
  const database = join(dataDir, 'site.db');
  const copies = makeDataDir();
  const [empty, full] = [join(copies, 'empty.db'), join(copies, 'full.db')];
  {
    await using testApp = await makeTestApp({ publishes: true, dataDir });
    copyTestDatabase(database, empty);
    const ann = await signedInBrowser(testApp);
    avatarUrl = await savedBy(await putAvatar(ann, await picture()));
    copyTestDatabase(database, full);
  }
  await rename(empty, database);
  {
    await using testApp = await makeTestApp({ publishes: true, dataDir });
    expect(await filesIn(testApp)).toEqual([]);
  }
  await rename(full, database);
  await using testApp = await makeTestApp({ publishes: true, dataDir });
  expect(await filesIn(testApp)).toEqual(both(avatarUrl));
  expect(await filesIn(testApp, 'trash')).toEqual([]);
});

test('keeps an old avatar for an hour if its page cannot be updated', async () => {
  const dataDir = makeDataDir();
  let fails = false;
  const renderer = rendererWith(makeRenderer(dataDir), async () => {
    if (fails) throw new Error('cannot be rendered');
  });
  await using testApp = await makeTestApp({ publishes: true, dataDir, renderer });
  const { avatars } = testApp.deps;
  const ann = await signedInBrowser(testApp);
  await ann.post('/api/posts', { title: 'Title', content: 'Text', published: true });
  const first = await savedBy(await putAvatar(ann, await picture()));
  await avatars.settled();
  fails = true;
  const second = await savedBy(await putAvatar(ann, await picture()));
  await avatars.settled();
  await avatars.sweep();
  expect((await testApp.browser().get(first)).status).toBe(200);
  testApp.clock.move(hour);
  await avatars.sweep();
  expect((await testApp.browser().get(first)).status).toBe(404);
  expect((await testApp.browser().get(second)).status).toBe(200);
});

test('creates the folder and removes leftovers of a crash on start', async () => {
  const dataDir = makeDataDir();
  let avatarUrl: string;
  let id: string;
  {
    await using testApp = await makeTestApp({ publishes: true, dataDir });
    const ann = await signedInBrowser(testApp);
    ({ id } = await profileOf(ann));
    avatarUrl = await savedBy(await putAvatar(ann, await picture()));
  }
  const folder = join(dataDir, 'uploads', 'avatars');
  const bytes = await readFile(join(dataDir, avatarUrl));
  // Killed before the row was written; partially written; of a deleted account.
  await writeFile(join(folder, id, 'avatar-1.webp'), bytes);
  await writeFile(join(folder, id, '.new-avatar-2.webp'), bytes);
  await mkdir(join(folder, 'gone'));
  await writeFile(join(folder, 'gone', 'avatar-3.webp'), bytes);
  {
    await using testApp = await makeTestApp({ publishes: true, dataDir });
    expect(await filesIn(testApp)).toEqual(both(avatarUrl));
    expect(existsSync(join(folder, 'gone'))).toBe(false);
    const trashed = (await filesIn(testApp, 'trash')).map((path) => path.split('/').at(-1));
    expect(trashed.sort()).toEqual(['avatar-1.webp', 'avatar-3.webp']);
    await testApp.deps.avatars.removeAll(id);
    expect(await filesIn(testApp)).toEqual([]);
    expect((await filesIn(testApp, 'trash')).join()).not.toContain(id);
  }
  await rm(join(dataDir, 'uploads'), { recursive: true });
  await using testApp = await makeTestApp({ publishes: true, dataDir });
  expect(await filesIn(testApp)).toEqual([]);
});

test('starts even if the folder cannot be created', async () => {
  const dataDir = makeDataDir();
  await writeFile(join(dataDir, 'uploads'), 'a file where the folder should be');
  await using testApp = await makeTestApp({ publishes: true, dataDir });
  expect((await testApp.browser().get('/api/health')).status).toBe(200);
  const ann = await signedInBrowser(testApp);
  const response = await putAvatar(ann, await picture());
  expect(response.status).toBe(500);
  expect((await profileOf(ann)).avatarUrl).toBeNull();
});

test('keeps the latest 100 avatars of a user in the trash', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { dataDir, deps } = testApp;
  const ann = await signedInBrowser(testApp);
  const current = await savedBy(await putAvatar(ann, await picture()));
  const userId = current.split('/').at(-2) ?? '';
  const write = async (date: string, times: number[]) => {
    const folder = join(dataDir, 'trash', date, 'avatars', userId);
    await mkdir(folder, { recursive: true });
    for (const name of times.flatMap(avatarNames)) await writeFile(join(folder, name), 'avatar');
  };
  await write(
    '2026-02-27',
    Array.from({ length: 60 }, (_, n) => n),
  );
  await write(
    '2026-02-28',
    Array.from({ length: 43 }, (_, n) => 60 + n),
  );
  await deps.avatars.settled();

  await deps.avatars.sweep();

  const times = (await filesIn(testApp, 'trash')).map(uploadTimeOf);
  expect(times).toHaveLength(200);
  expect(Math.min(...times.map(Number))).toBe(3);
  expect(await filesIn(testApp)).toEqual(both(current));
});
