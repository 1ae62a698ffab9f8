import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeDataDir, startWriting } from '../testing/blog.ts';
import { makeTestApp } from '../testing/test-app.ts';
import { cardFor, makeRenderer, testSamplePosts, withCards } from '../testing/test-renderer.ts';
import { until } from '../testing/until.ts';

/** The path of the card of a post whose slug is that of its title. */
const cardPath = (title: string, slug = title.toLowerCase().replaceAll(' ', '-')): string =>
  cardFor(title, `/blog/${slug}`).path;

/** A folder for a site, and a build that draws cards. */
function makeSite() {
  const dataDir = makeDataDir();
  const build = (id: string) => withCards(makeRenderer(dataDir, id), dataDir);
  const cardOf = (...names: Parameters<typeof cardPath>) =>
    join(dataDir, 'site', cardPath(...names));
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
  expect(await siteFiles.load(cardPath('First'))).toBeNull();

  letGo();
  await publisher.cardsSettled();
  const file = await siteFiles.load(cardPath('First'));
  expect(file).toMatchObject({ contentType: 'image/png' });
  expect(file?.representations.identity.body.toString()).toBe('card of First');
});

test('draws a card again only if the title changes, and none for a post with a cover', async () => {
  const { drawn, start } = makeSite();
  await using testApp = await start();
  const { write, change } = await startWriting(testApp);
  const { post } = await write('Once');
  await testApp.deps.publisher.cardsSettled();
  await change(post, { content: 'Edited' });
  await write('Covered', { coverImage: 'https://example.com/cover.jpg' });
  await testApp.deps.publisher.cardsSettled();
  expect(drawn().filter((title) => !sampleTitles.includes(title))).toEqual(['Once']);
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

test('links cards into a new build, and removes those of earlier titles', async () => {
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
    expect(existsSync(cardOf('After', 'before'))).toBe(true);
    inode = statSync(cardOf('Kept')).ino;
  }
  const drawnBefore = drawn();

  await using testApp = await start('build-2');
  await testApp.deps.publisher.settled();
  await testApp.deps.publisher.cardsSettled();
  const folders = testSamplePosts.map(({ slug }) => `blog.${slug}`);
  expect(readdirSync(join(dataDir, 'site', 'cards')).sort()).toEqual(
    ['blog.kept', 'blog.before', ...folders].sort(),
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

test('removes a card with its page, also from the cache', async () => {
  const { cardOf, start } = makeSite();
  await using testApp = await start();
  const { publisher, siteFiles } = testApp.deps;
  const { write, change } = await startWriting(testApp);
  const { post } = await write('First');
  await publisher.cardsSettled();
  expect(await siteFiles.load(cardPath('First'))).not.toBeNull();

  await change(post, { title: 'Other' });
  expect(await siteFiles.load(cardPath('First'))).toBeNull();
  await publisher.cardsSettled();
  expect(existsSync(cardOf('Other', 'first'))).toBe(true);
  await change(post, { published: false });
  expect(existsSync(cardOf('Other', 'first'))).toBe(false);
  await change(post, { published: true });
  await publisher.cardsSettled();
  expect(existsSync(cardOf('Other', 'first'))).toBe(true);
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
  expect(readdirSync(join(dataDir, 'site', 'cards')).join()).not.toContain('gone');
});
