import { expect, test } from 'vitest';
import { isFullRun } from '../support/full-run.ts';
import { Findings } from './fault.ts';
import { servers } from './runs/servers.ts';
import { whyNoDeployment } from './servers/deployment.ts';

if (whyNoDeployment)
  process.stdout.write(`Tests of several servers are skipped: ${whyNoDeployment}\n`);

const seconds = isFullRun ? 300 : 3;

test.skipIf(whyNoDeployment)(
  'three servers behind Caddy lose nothing and serve all readers while they and the primary are killed',
  { timeout: 1_200_000 },
  async () => {
    const findings = new Findings();
    await servers.run(seconds, findings);

    const { counts, broken } = findings;
    expect({ seed: counts['seed'], broken }).toEqual({ seed: counts['seed'], broken: [] });
    expect(counts).toMatchObject({ 'writes lost': 0 });
    expect(counts['kills of a server']).toBe(isFullRun ? 30 : 2);
    expect(counts['kills of the primary']).toBe(isFullRun ? 5 : 1);
  },
);
