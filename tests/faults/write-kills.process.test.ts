import { expect, test } from 'vitest';
import { isFullRun } from '../support/full-run.ts';
import { Findings } from './fault.ts';
import { writeKills } from './runs/write-kills.ts';

const kills = isFullRun ? 200 : 5;

test(`loses nothing and sends nothing twice when killed ${kills} times with a failing email provider`, {
  // 200 kills took 600 s on a slow, busy machine.
  timeout: isFullRun ? 1_800_000 : 600_000,
}, async () => {
  const findings = new Findings();
  await writeKills.run(kills, findings);

  expect(findings.broken).toEqual([]);
  const { counts } = findings;
  expect(counts).toMatchObject({ kills, 'writes lost': 0, 'files left over': 0 });
  expect(counts['writes acknowledged']).toBeGreaterThanOrEqual(kills / 4);
  expect(counts['failures of the email provider']).toBeGreaterThanOrEqual(kills / 4);
});
