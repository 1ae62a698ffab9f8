import { beforeAll, describe, expect, test } from 'vitest';
import { isFullRun } from '../support/full-run.ts';
import { copyPublishedSite, temporaryFolder } from '../support/site-process.ts';
import { needsMount } from '../support/small-disk.ts';
import { failDisk } from './disks/fail-disk.ts';
import { mountAll } from './disks/mount-all.ts';
import { Findings } from './fault.ts';

function canMount(): boolean {
  using folder = temporaryFolder();
  using mounted = mountAll(folder.path);
  return mounted !== null;
}

// Publishes once the site that all tests copy.
beforeAll(async () => {
  using folder = temporaryFolder();
  await copyPublishedSite(folder.path);
}, 300_000);

describe.concurrent('a failing disk of one folder loses nothing, and the server recovers by itself:', () => {
  test.for([
    ['email', 'full', 0],
    ...(isFullRun
      ? ([
          ['uploads', 'full', 6],
          // A failed publish job is retried after ten seconds.
          ['site', 'full', 0],
        ] as const)
      : []),
  ] as const)('%s, %s', { timeout: 300_000 }, async ([part, trouble, refused], { skip }) => {
    if (!canMount()) return skip(needsMount);
    const findings = new Findings();
    await failDisk(part, trouble, findings);

    expect(findings.broken).toEqual([]);
    expect(findings.counts).toMatchObject({ 'writes refused': refused, 'writes lost': 0 });
    expect(findings.counts['writes acknowledged']).toBeGreaterThan(0);
  });
});
