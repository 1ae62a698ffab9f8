import { inspect } from 'node:util';
import { runCommand } from './cli/run.ts';
import { systemClock } from './clock.ts';
import { commands } from './features.ts';

// As with `| head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

try {
  process.exitCode = await runCommand({
    commands,
    args: process.argv.slice(2),
    clock: systemClock,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    terminal: process.stderr,
  });
} catch (error) {
  process.stderr.write(`${inspect(error)}\n`);
  process.exitCode = 1;
}
