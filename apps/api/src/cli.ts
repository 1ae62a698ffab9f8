import { runCommand } from './cli/run.ts';
import { systemClock } from './clock.ts';
import { commands } from './features.ts';

for (const stream of [process.stdout, process.stderr]) {
  // As with `| head`.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
}

process.exitCode = await runCommand({
  commands,
  args: process.argv.slice(2),
  clock: systemClock,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  terminal: process.stderr,
});
