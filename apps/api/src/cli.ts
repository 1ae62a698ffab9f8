import { runCommand } from './cli/run.ts';
import { systemClock } from './clock.ts';
import { commands } from './commands.ts';
import { restrictNewFiles } from './storage/data-folder/permissions.ts';

// If the reader of errors closes the pipe, the work continues, and the exit code tells the result.
process.stderr.on('error', () => undefined);

process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // The reader has closed the pipe, like `| head`. Results are written last, so the work is done.
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
