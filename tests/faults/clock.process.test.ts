import { expect, test } from 'vitest';
import { hasFaketime, needsFaketime } from './faked-clock.ts';
import { Findings } from './fault.ts';
import { clock } from './runs/clock.ts';

test('nothing is lost when the clock jumps two years ahead and back', {
  timeout: 120_000,
}, async ({ skip }) => {
  if (!hasFaketime()) return skip(needsFaketime);
  const findings = new Findings();
  await clock.run(1, findings);

  expect(findings.broken).toEqual([]);
  expect(findings.counts).toMatchObject({ 'clock changes': 5, 'writes lost': 0, 'sign-ins': 15 });
});
