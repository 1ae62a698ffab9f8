import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeDataDir, shownAt, startWriting } from '../testing/blog.ts';
import { publishedPages, wantedPages } from '../testing/site.ts';
import { makeTestApp } from '../testing/test-app.ts';
import { makeRenderer } from '../testing/test-renderer.ts';
import { until } from '../testing/until.ts';

/** A stopped site with a release that is not served. */
async function makeStoppedSite(): Promise<string> {
  const dataDir = makeDataDir();
  await using _testApp = await makeTestApp({ publishes: true, dataDir });
  mkdirSync(join(dataDir, 'releases', 'old'));
  return dataDir;
}

/** Runs a script instead of `rm`. */
function replaceRm(script: string): void {
  const folder = makeDataDir();
  const program = join(folder, 'rm');
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  vi.stubEnv('PATH', `${folder}:/usr/bin:/bin`);
  onTestFinished(() => void vi.unstubAllEnvs());
}

/** Makes `rm` wait. @returns a function that lets it continue */
function holdRm(): () => void {
  const released = join(makeDataDir(), 'released');
  replaceRm(`until [ -e '${released}' ]; do sleep 0.01; done; exec /bin/rm "$@"`);
  return () => writeFileSync(released, '');
}

const releasesIn = (dataDir: string): string[] => readdirSync(join(dataDir, 'releases'));

test('starts and saves without waiting for the removal of old releases', async () => {
  const dataDir = await makeStoppedSite();
  const letGo = holdRm();
  await using testApp = await makeTestApp({ publishes: true, dataDir });
  const { publishing } = await (await startWriting(testApp)).write('Meanwhile');
  expect(publishing.state).toBe('live');
  expect(releasesIn(dataDir)).toContain('old');
  letGo();
  await testApp.deps.publisher.settled();
  expect(releasesIn(dataDir)).toHaveLength(2);
});

test('saves without waiting for the removal of the release that a new build replaced', async () => {
  const dataDir = makeDataDir();
  {
    await using _testApp = await makeTestApp({ publishes: true, dataDir });
  }
  const letGo = holdRm();
  const renderer = makeRenderer(dataDir, 'build-2');
  await using testApp = await makeTestApp({ publishes: true, dataDir, renderer });
  const { siteFiles, publisher } = testApp.deps;
  const home = async () => (await siteFiles.load('/'))?.representations.identity.body.toString();
  await until(async () => (await home())?.includes('Home of build-2'));
  await (await startWriting(testApp)).write('Meanwhile');
  expect(await shownAt(testApp, '/blog/meanwhile')).not.toBeNull();
  expect(releasesIn(dataDir)).toHaveLength(4);
  letGo();
  await publisher.settled();
  expect(releasesIn(dataDir)).toHaveLength(2);
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

test('interrupts the removal of old releases when it stops, and repeats it at the next start', async () => {
  const dataDir = await makeStoppedSite();
  {
    holdRm();
    await using _testApp = await makeTestApp({ publishes: true, dataDir });
  }
  expect(releasesIn(dataDir)).toContain('old');
  vi.unstubAllEnvs();
  await using testApp = await makeTestApp({ publishes: true, dataDir });
  await testApp.deps.publisher.settled();
  expect(releasesIn(dataDir)).toHaveLength(2);
});

test('starts even if old releases cannot be removed', async () => {
  const dataDir = await makeStoppedSite();
  replaceRm('exit 1');
  await using testApp = await makeTestApp({ publishes: true, dataDir });
  await testApp.deps.publisher.settled();
  expect(releasesIn(dataDir)).toContain('old');
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});
