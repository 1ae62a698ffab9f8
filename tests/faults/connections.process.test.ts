import { expect, test } from 'vitest';
import { isFullRun } from '../support/full-run.ts';
import { Findings } from './fault.ts';
import { connections } from './runs/connections.ts';

test.runIf(isFullRun)(
  'readers are served despite 2,000 idle connections and slow, stalled and pipelined ones',
  async () => {
    const findings = new Findings();
    await connections.run(connections.min, findings);

    expect(findings.broken).toEqual([]);
    expect(findings.counts).toMatchObject({ 'idle connections': 2_000, reads: expect.any(Number) });
  },
);
