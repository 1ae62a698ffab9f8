import { expect, test } from 'vitest';
import { isFullRun } from '../support/full-run.ts';
import { runHostile } from './hostile/hostile.ts';

test('under attack the server keeps serving readers, authors and visitors', async () => {
  const report = await runHostile({ seconds: isFullRun ? 60 : 3 });

  expect(report.violations).toEqual([]);
  expect(report.reads.statuses).toMatchObject({ 200: expect.any(Number) });
  expect(report.honest).toMatchObject({
    messages: expect.any(Number),
    'posts published and deleted': expect.any(Number),
    'sign-ins': expect.any(Number),
  });
});
