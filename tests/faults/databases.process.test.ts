import { expect, test } from 'vitest';
import { isFullRun } from '../support/full-run.ts';
import { Findings } from './fault.ts';
import { databases } from './runs/databases.ts';

const times = 90;

/** In short runs, startup.process.test.ts has some damages. */
test.runIf(isFullRun)(
  'a start on a damaged database serves, or refuses with one sentence and changes nothing',
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
