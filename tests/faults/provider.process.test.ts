import { expect, test } from 'vitest';
import { Findings } from './fault.ts';
import { provider } from './runs/provider.ts';

test('no message is lost if the email provider sends garbage, and each email is sent once afterwards', async () => {
  const findings = new Findings();
  await provider.run(1, findings);

  expect(findings.broken).toEqual([]);
  expect(findings.counts['writes lost']).toBe(0);
  expect(findings.counts['bad replies']).toBeGreaterThan(15);
});
