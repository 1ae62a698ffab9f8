import { expect, test } from 'vitest';
import { isFullRun } from '../support/full-run.ts';
import { Findings } from './fault.ts';
import { publishKills } from './runs/publish-kills.ts';

const kills = isFullRun ? 50 : 3;

test(`no page is torn and no acknowledged change is lost when killed ${kills} times`, {
  timeout: 600_000,
}, async () => {
  const findings = new Findings();
  await publishKills.run(kills, findings);

  expect(findings.broken).toEqual([]);
  expect(findings.counts).toMatchObject({ kills, 'writes lost': 0 });
  // Nothing is written before a kill during a start.
  expect(findings.counts['writes acknowledged']).toBeGreaterThanOrEqual(kills / 2);
  expect(findings.counts['comparisons with a fresh render']).toBeGreaterThanOrEqual(1);
});
