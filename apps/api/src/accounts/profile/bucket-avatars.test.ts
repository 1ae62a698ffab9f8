import { randomUUID } from 'node:crypto';
import { day, hour } from '@app/contract/durations';
import { profiles } from '@app/db/schema/accounts';
import { expect, test } from 'vitest';
import { openBucket } from '../../s3/bucket.ts';
import { emptyTrash } from '../../storage/uploads/empty-trash.ts';
import { both, picture, profileOf, saveAfterDeletion, savedBy } from '../../testing/avatars.ts';
import { makeDataDir } from '../../testing/blog.ts';
import { startFaultyS3 } from '../../testing/faulty-s3.ts';
import { putAvatar } from '../../testing/pictures.ts';
import { s3ServerForFile } from '../../testing/s3-server.ts';
import { MovingClock, makeTestApp, signedInBrowser, type TestApp } from '../../testing/test-app.ts';

const server = s3ServerForFile();

const keysBelow = (prefix: string): string[] =>
  server
    .keys()
    .filter((key) => key.startsWith(`${prefix}/`) && !key.startsWith(`${prefix}/site-`))
    .map((key) => key.slice(prefix.length));

const inTrash = (avatarUrl: string, date = '2026-03-01'): string[] =>
  both(avatarUrl).map((path) => path.replace('/uploads/', `/trash/${date}/`));

const statusOf = async (testApp: TestApp, path: string): Promise<number> =>
  (await testApp.browser().get(path)).status;

test('keeps a replaced avatar for an hour, for pages of other servers, then in the trash', async () => {
  const prefix = randomUUID();
  const uploads = server.uploadsAt(prefix);
  await using testApp = await makeTestApp({ publishes: true, settings: { uploads } });
  const { deps, clock } = testApp;
  const ann = await signedInBrowser(testApp);
  const first = await savedBy(await putAvatar(ann, await picture()));
  clock.move(1);
  const second = await savedBy(await putAvatar(ann, await picture()));
  await deps.avatars.settled();
  server.age(prefix, 2 * hour);
  await deps.avatars.sweep();
  expect(keysBelow(prefix)).toEqual([...both(first), ...both(second)].sort());
  expect(await statusOf(testApp, first)).toBe(200);

  clock.move(hour);
  await deps.avatars.sweep();
  expect(keysBelow(prefix)).toEqual([...inTrash(first), ...both(second)].sort());
  expect([await statusOf(testApp, first), await statusOf(testApp, second)]).toEqual([404, 200]);

  // As if an older database had been restored.
  deps.db.update(profiles).set({ avatarUrl: first }).run();
  await deps.avatars.sweep();
  expect(keysBelow(prefix)).toEqual([...inTrash(second), ...both(first)].sort());
  clock.move(31 * day);
  await emptyTrash(deps);
  expect(keysBelow(prefix)).toEqual(both(first));
});

test('keeps the latest 100 avatars of a user in the trash', async () => {
  const prefix = randomUUID();
  const uploads = server.uploadsAt(prefix);
  await using testApp = await makeTestApp({ publishes: true, settings: { uploads } });
  const bucket = openBucket(uploads.location, uploads.credentials, { timeout: 10_000 });
  const keyOf = (time: number): string => `trash/2026-02-28/avatars/ann/avatar-${time}.webp`;
  for (let time = 1; time <= 103; time += 1) await bucket.put(keyOf(time), Buffer.from('avatar'));
  await testApp.deps.avatars.sweep();
  expect(keysBelow(prefix)).toHaveLength(100);
  for (const time of [1, 2, 3]) expect(keysBelow(prefix)).not.toContain(`/${keyOf(time)}`);
});

test('the sweep keeps files whose row another server may be about to write', async () => {
  const prefix = randomUUID();
  const uploads = server.uploadsAt(prefix);
  await using testApp = await makeTestApp({ settings: { uploads } });
  const { id } = await profileOf(await signedInBrowser(testApp));
  const bucket = openBucket(uploads.location, uploads.credentials, { timeout: 10_000 });
  await bucket.put(`uploads/avatars/${id}/avatar-7.webp`, Buffer.from('bytes'));
  testApp.clock.move(2 * hour);
  await testApp.deps.avatars.sweep();
  expect(keysBelow(prefix)).toEqual([`/uploads/avatars/${id}/avatar-7.webp`]);
  server.age(prefix, hour + 60_000);
  await testApp.deps.avatars.sweep();
  expect(keysBelow(prefix)).toEqual([`/trash/2026-03-01/avatars/${id}/avatar-7.webp`]);
  await testApp.deps.avatars.removeAll(id);
  expect(keysBelow(prefix)).toEqual([]);
});

test('uploads of one account on two servers in the same millisecond get different names', async () => {
  const uploads = server.uploadsAt(randomUUID());
  const dataDir = makeDataDir();
  const clock = new MovingClock();
  await using one = await makeTestApp({ dataDir, clock, settings: { uploads } });
  await using other = await makeTestApp({ dataDir, clock, settings: { uploads } });
  const ann = await signedInBrowser(one);
  const elsewhere = other.browser();
  for (const [name, value] of ann.cookies) elsewhere.cookies.set(name, value);
  const replies = await Promise.all(
    [ann, elsewhere].map(async (browser) => putAvatar(browser, await picture())),
  );
  const urls = await Promise.all(replies.map(savedBy));
  expect(new Set(urls).size).toBe(2);
  const { avatarUrl } = await profileOf(ann);
  expect(urls).toContain(avatarUrl);
  expect(await statusOf(other, avatarUrl ?? '')).toBe(200);
});

test('refuses an avatar and keeps the old one while the bucket is not writable', async () => {
  await using faulty = await startFaultyS3(server.endpoint);
  const uploads = server.uploadsAt(randomUUID(), faulty.endpoint);
  await using testApp = await makeTestApp({ publishes: true, settings: { uploads } });
  const ann = await signedInBrowser(testApp);
  const first = await savedBy(await putAvatar(ann, await picture()));
  faulty.break('deny', { affects: (method) => method === 'PUT' });
  const refused = await putAvatar(ann, await picture());
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '5']);
  expect((await profileOf(ann)).avatarUrl).toBe(first);
  expect(await statusOf(testApp, first)).toBe(200);
  const metrics = await testApp.app.request(
    '/api/metrics',
    {},
    { incoming: { socket: { remoteAddress: '127.0.0.1' } } },
  );
  expect(await metrics.text()).toMatch(
    /site_bucket_calls_total\{operation="write",result="failed"\} \d/,
  );
});

test('deletes an avatar that is stored after its account was deleted', async () => {
  const prefix = randomUUID();
  const uploads = server.uploadsAt(prefix);
  await using testApp = await makeTestApp({ settings: { uploads } });
  await saveAfterDeletion(testApp);
  expect(keysBelow(prefix)).toEqual([]);
});
