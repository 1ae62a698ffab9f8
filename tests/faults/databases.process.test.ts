import { expect, test } from 'vitest';
import { isFullRun } from '../support/full-run.ts';
import { Findings } from './fault.ts';
import { databases } from './runs/databases.ts';

const times = 90;

/** In short runs, startup.process.test.ts covers some kinds of damage. */
test.runIf(isFullRun)(
  'a server with a damaged database serves the site, or exits with one sentence and changes nothing',
  {
    timeout: 300_000,
  },
  async () => {
    const findings = new Findings();
    await databases.run(times, findings);

    expect(findings.broken).toEqual([]);
    expect(findings.counts).toMatchObject({ starts: times, 'files changed': 0 });
    expect(findings.counts['refused']).toBeGreaterThanOrEqual(times / 5);
  },
);
