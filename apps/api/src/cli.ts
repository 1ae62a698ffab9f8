import { runCommand } from './cli/run.ts';
import { systemClock } from './clock.ts';
import { commands } from './commands.ts';
import { restrictNewFiles } from './storage/data-folder/permissions.ts';

// Whoever reads progress and errors may leave early: the work goes on, and the exit code tells.
process.stderr.on('error', () => undefined);

process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // As with `| head`. The result comes last, so the command has done its work.
  if (code === 'EPIPE') return;
  process.stderr.write(`The output cannot be written: ${message}.\n`);
  process.exit(1);
});

process.exitCode = await runCommand({
  commands,
  args: process.argv.slice(2),
  clock: systemClock,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  restrictNewFiles: () => restrictNewFiles('owner'),
  terminal: process.stderr,
});
