import { expect, test } from 'vitest';
import { isFullRun } from '../support/full-run.ts';
import { hasFaketime, needsFaketime } from './faked-clock.ts';
import { Findings } from './fault.ts';
import { clock } from './runs/clock.ts';

/** Short runs move it ahead and back; full runs also two years into the past and back. */
const changes = isFullRun ? 5 : 3;

test(`nothing is lost when the clock is changed ${changes} times, two years at a time`, async ({
  skip,
}) => {
  if (!hasFaketime()) return skip(needsFaketime);
  const findings = new Findings();
  await clock.run(changes, findings);

  expect(findings.broken).toEqual([]);
  expect(findings.counts).toMatchObject({
    'clock changes': changes,
    'writes lost': 0,
    'sign-ins': (changes * (changes + 1)) / 2,
  });
});
