import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeDataDir, startWriting } from '../testing/blog.ts';
import { makeTestApp } from '../testing/test-app.ts';
import { cardFor, makeRenderer, testSamplePosts, withCards } from '../testing/test-renderer.ts';
import { until } from '../testing/until.ts';

/** A folder for a site, and a build that draws cards. */
function makeSite() {
  const dataDir = makeDataDir();
  const build = (id: string) => withCards(makeRenderer(dataDir, id), dataDir);
  const cardOf = (title: string) => join(dataDir, 'site', cardFor(title).path);
  const start = (id = 'build-1') =>
    makeTestApp({ publishes: true, dataDir, renderer: build(id).renderer });
  return { dataDir, ...build('build-1'), cardOf, start };
}

const sampleTitles = testSamplePosts.map(({ title }) => title);

test('renders a card in the background and then serves it', async () => {
  const { hold, letGo, cardOf, start } = makeSite();
  await using testApp = await start();
  const { publisher, siteFiles } = testApp.deps;
  const { write } = await startWriting(testApp);
  hold();
  const { publishing } = await write('First');
  expect(publishing.state).toBe('live');
  expect(existsSync(cardOf('First'))).toBe(false);
  expect(await siteFiles.load(cardFor('First').path)).toBeNull();

  letGo();
  await publisher.cardsSettled();
  const file = await siteFiles.load(cardFor('First').path);
  expect(file).toMatchObject({ contentType: 'image/png' });
  expect(file?.representations.identity.body.toString()).toBe('card of First');
});

test('renders one card per title, and none for a post with a cover', async () => {
  const { drawn, start } = makeSite();
  await using testApp = await start();
  const { write, change } = await startWriting(testApp);
  const { post } = await write('Twice');
  await write('Twice', { slug: 'twice-too' });
  await testApp.deps.publisher.cardsSettled();
  await change(post, { content: 'Edited' });
  await write('Covered', { coverImage: 'https://example.com/cover.jpg' });
  await testApp.deps.publisher.cardsSettled();
  expect(drawn().filter((title) => !sampleTitles.includes(title))).toEqual(['Twice']);
});

test('renders queued cards at startup after a crash', async () => {
  const { hold, letGo, cardOf, start } = makeSite();
  {
    await using testApp = await start();
    await testApp.deps.publisher.cardsSettled();
    hold();
    const { write } = await startWriting(testApp);
    await write('First');
    await write('Second');
  }
  expect(existsSync(cardOf('First'))).toBe(false);
  letGo();
  await using testApp = await start();
  await testApp.deps.publisher.cardsSettled();
  for (const title of ['First', 'Second']) {
    expect(readFileSync(cardOf(title), 'utf8')).toBe(`card of ${title}`);
  }
});

test('renders missing cards again at startup, even if all are missing', async () => {
  const { dataDir, drawn, cardOf, start } = makeSite();
  {
    await using testApp = await start();
    const { write } = await startWriting(testApp);
    await write('First');
    await testApp.deps.publisher.cardsSettled();
  }
  rmSync(join(dataDir, 'site', 'cards'), { recursive: true });
  await using testApp = await start();
  await testApp.deps.publisher.cardsSettled();
  expect(readFileSync(cardOf('First'), 'utf8')).toBe('card of First');
  expect(drawn().filter((title) => title === 'First')).toHaveLength(2);
});

test('copies cards into a new build, except for unused ones', async () => {
  const { dataDir, drawn, cardOf, start } = makeSite();
  let inode: number;
  {
    await using testApp = await start();
    const { write, change } = await startWriting(testApp);
    await write('Kept');
    const { post } = await write('Before');
    await testApp.deps.publisher.cardsSettled();
    await change(post, { title: 'After' });
    await testApp.deps.publisher.cardsSettled();
    expect(existsSync(cardOf('Before'))).toBe(false);
    inode = statSync(cardOf('Kept')).ino;
  }
  const drawnBefore = drawn();

  await using testApp = await start('build-2');
  await testApp.deps.publisher.settled();
  await testApp.deps.publisher.cardsSettled();
  expect(readdirSync(join(dataDir, 'site', 'cards')).sort()).toEqual(
    ['Kept', 'After', ...sampleTitles]
      .map((title) => cardFor(title).path.replace('/cards/', ''))
      .sort(),
  );
  expect(statSync(cardOf('Kept')).ino).toBe(inode);
  expect(drawn()).toEqual(drawnBefore);
});

test.each(['undrawable', 'deadly'])(
  'retries a card that is %s, without blocking others',
  async (trouble) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { fix, cardOf, start } = makeSite();
    await using testApp = await start();
    const { write } = await startWriting(testApp);
    await write(`One ${trouble} title`);
    await write('Another');
    await testApp.deps.publisher.cardsSettled();
    expect(existsSync(cardOf(`One ${trouble} title`))).toBe(false);
    expect(existsSync(cardOf('Another'))).toBe(true);

    fix();
    vi.advanceTimersByTime(60_000);
    await until(async () => existsSync(cardOf(`One ${trouble} title`)));
  },
);

test('removes a card with the last page that uses it, also from the cache', async () => {
  const { cardOf, start } = makeSite();
  await using testApp = await start();
  const { publisher, siteFiles } = testApp.deps;
  const { write, change, remove } = await startWriting(testApp);
  const { post: first } = await write('Shared');
  const { post: second } = await write('Shared', { slug: 'shared-too' });
  await publisher.cardsSettled();
  const served = async () => (await siteFiles.load(cardFor('Shared').path)) !== null;

  await remove(first);
  expect(await served()).toBe(true);
  await change(second, { title: 'Alone' });
  expect(await served()).toBe(false);
  expect(existsSync(cardOf('Shared'))).toBe(false);

  await publisher.cardsSettled();
  expect(existsSync(cardOf('Alone'))).toBe(true);
  await change(second, { published: false });
  expect(existsSync(cardOf('Alone'))).toBe(false);
  await change(second, { published: true });
  await publisher.cardsSettled();
  expect(existsSync(cardOf('Alone'))).toBe(true);
});

test('keeps a card that the build has too', async () => {
  const { dataDir, renderer } = makeSite();
  const inBuild = join(renderer.staticFiles, cardFor('About us').path);
  mkdirSync(dirname(inBuild));
  writeFileSync(inBuild, 'card of the build');
  await using testApp = await makeTestApp({ publishes: true, dataDir, renderer });
  const { write, remove } = await startWriting(testApp);
  const { post } = await write('About us');
  await remove(post);
  const file = await testApp.deps.siteFiles.load(cardFor('About us').path);
  expect(file?.representations.identity.body.toString()).toBe('card of the build');
});

test('removes a card whose page is deleted while it is rendered', async () => {
  const { dataDir, hold, letGo, start } = makeSite();
  await using testApp = await start();
  const { publisher } = testApp.deps;
  const { write, remove } = await startWriting(testApp);
  await publisher.cardsSettled();
  hold();
  const { post } = await write('Gone soon');
  await write('Gone before it is begun').then((saved) => remove(saved.post));
  await remove(post);
  letGo();
  await publisher.cardsSettled();
  const left = readdirSync(join(dataDir, 'site', 'cards'));
  expect(left).not.toContain(cardFor('Gone soon').path.replace('/cards/', ''));
  expect(left).not.toContain(cardFor('Gone before it is begun').path.replace('/cards/', ''));
});

test('removes unused cards at startup', async () => {
  const { dataDir, cardOf, start } = makeSite();
  {
    await using testApp = await start();
    const { write } = await startWriting(testApp);
    await write('First');
    await testApp.deps.publisher.cardsSettled();
  }
  writeFileSync(cardOf('Of nobody'), 'card of nobody');
  await using _testApp = await start();
  expect(readdirSync(join(dataDir, 'site', 'cards')).sort()).toEqual(
    ['First', ...sampleTitles].map((title) => cardFor(title).path.replace('/cards/', '')).sort(),
  );
});
