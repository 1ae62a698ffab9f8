import { expect, test } from 'vitest';
import { Findings } from './fault.ts';
import { starts } from './runs/starts.ts';

test('if three servers start on one DATA_DIR at the same time, one serves and two exit', async () => {
  const findings = new Findings();
  await starts.run(2, findings);

  expect(findings.broken).toEqual([]);
  expect(findings.counts).toEqual({
    times: 2,
    'servers that served': 2,
    'servers that refused': 4,
  });
});
