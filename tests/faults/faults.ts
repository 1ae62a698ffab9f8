// `pnpm faults hostile`: attacks a server of its own on loopback with everything a stranger with an
// account can send, beside readers who measure every response. Exits with 1 when a promise is broken.
import { parseArgs } from 'node:util';
import { runHostile } from './hostile/hostile.ts';
import { formatReport } from './hostile/report.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '600' } },
});
const seconds = Number(values.seconds);
if (positionals.join(' ') !== 'hostile' || !(seconds >= 5 && seconds <= 3_600)) {
  process.stderr.write('Usage: pnpm faults hostile [--seconds=600], 5 to 3600 seconds\n');
  process.exit(2);
}
const report = await runHostile({ seconds, maxReadMilliseconds: 250 });
process.stdout.write(`${formatReport(report)}\n`);
process.exitCode = report.violations.length > 0 ? 1 : 0;
