import { expect, test } from 'vitest';
import { isFullRun } from '../support/full-run.ts';
import { Findings } from './fault.ts';
import { soak } from './runs/soak.ts';

test.runIf(isFullRun)(
  'simultaneous readers, visitors, authors and uploads are served, and nothing is lost',
  {
    timeout: 300_000,
  },
  async () => {
    const findings = new Findings();
    await soak.run(soak.min, findings);

    expect(findings.broken).toEqual([]);
    for (const what of ['reads', 'forms', 'previews', 'posts', 'edits', 'deletions', 'avatars']) {
      expect([what, findings.counts[what]]).toEqual([what, expect.any(Number)]);
    }
  },
);
