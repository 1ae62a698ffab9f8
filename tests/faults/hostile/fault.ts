import type { Fault } from '../fault.ts';
import { runHostile } from './hostile.ts';
import { formatReport } from './report.ts';

export const hostile: Fault = {
  name: 'hostile',
  about: 'everything that a stranger with an account can send, while readers measure each response',
  unit: 'seconds',
  amount: 600,
  min: 5,
  async run(seconds, findings) {
    const report = await runHostile({ seconds, maxReadMilliseconds: 250, maxSaveRatio: 5 });
    findings.progress(formatReport(report));
    findings.count('reads', report.reads.count);
    for (const violation of report.violations) findings.breaks(violation);
  },
};
