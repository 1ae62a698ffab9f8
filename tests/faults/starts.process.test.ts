import { expect, test } from 'vitest';
import { Findings } from './fault.ts';
import { starts } from './runs/starts.ts';

test('of three servers that start on one DATA_DIR at once, one serves and two refuse', async () => {
  const findings = new Findings();
  await starts.run(2, findings);

  expect(findings.broken).toEqual([]);
  expect(findings.counts).toEqual({
    times: 2,
    'servers that served': 2,
    'servers that refused': 4,
  });
});
