import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { makeDataDir, startWriting } from '../testing/blog.ts';
import { makeTestApp } from '../testing/test-app.ts';
import { makeRenderer } from '../testing/test-renderer.ts';
import { restoredFile } from './restored-site.ts';

const previous = 'previous-2026-03-01T12-00-00.000Z';

const copy = (from: string, to: string): void =>
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });

/**
 * A restored site whose first start was killed after rendering all pages, but before its report.
 * The previous site has a newer post.
 */
async function makeUnreportedSite(): Promise<string> {
  const newer = makeDataDir();
  const restored = makeDataDir();
  {
    await using testApp = await makeTestApp({ publishes: true, dataDir: newer });
    await (await startWriting(testApp)).write('Kept');
  }
  copy(newer, restored);
  {
    await using testApp = await makeTestApp({ publishes: true, dataDir: newer });
    await (await startWriting(testApp)).write('Newer');
  }
  mkdirSync(join(restored, previous));
  for (const name of ['site', 'releases']) {
    copy(join(newer, name), join(restored, previous, name));
  }
  writeFileSync(join(restored, restoredFile), JSON.stringify({ previous }));
  return restored;
}

/** @returns the report lines that the start logs */
async function startOn(dataDir: string, build?: string): Promise<unknown[]> {
  const lines: { msg: string }[] = [];
  const log = createLog('warn', { write: (line) => void lines.push(JSON.parse(line)) });
  const renderer = makeRenderer(dataDir, build);
  await using testApp = await makeTestApp({ publishes: true, dataDir, log, renderer });
  await testApp.deps.publisher.settled();
  return lines.filter(({ msg }) => msg === 'restored an older site');
}

test.each([
  ['the same build', undefined],
  ['a new build', 'build-2'],
])(
  'reports the removed pages when %s starts after a kill prevented the report',
  async (_what, build) => {
    const dataDir = await makeUnreportedSite();

    const reports = await startOn(dataDir, build);

    expect(reports).toEqual([
      expect.objectContaining({
        previous: join(dataDir, previous),
        paths: expect.arrayContaining(['/blog/newer']),
      }),
    ]);
    expect(existsSync(join(dataDir, restoredFile))).toBe(false);
    expect(await startOn(dataDir, build)).toEqual([]);
  },
);
