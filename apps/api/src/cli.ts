import { runCommand } from './cli/run.ts';
import { systemClock } from './clock.ts';
import { commands } from './commands.ts';

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    // As with `| head`.
    if (code === 'EPIPE') process.exit(0);
    if (stream === process.stdout)
      process.stderr.write(`The output cannot be written: ${message}.\n`);
    process.exit(1);
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
