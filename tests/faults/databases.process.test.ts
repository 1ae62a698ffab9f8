import { expect, test } from 'vitest';
import { isFullRun } from '../support/full-run.ts';
import { Findings } from './fault.ts';
import { databases } from './runs/databases.ts';

/** In short runs the first five damages: startup.process.test.ts has the others. */
const times = isFullRun ? 90 : 5;

test('a start on a damaged database serves, or refuses with one sentence and changes nothing', {
  timeout: 300_000,
}, async () => {
  const findings = new Findings();
  await databases.run(times, findings);

  expect(findings.broken).toEqual([]);
  expect(findings.counts).toMatchObject({ starts: times, 'files changed': 0 });
  expect(findings.counts['refused']).toBeGreaterThanOrEqual(times / 5);
});
