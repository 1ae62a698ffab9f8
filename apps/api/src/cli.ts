// `pnpm cli`: what the owner of the site does on the server, with submissions, mails and accounts.
import { inspect } from 'node:util';
import { runCommand } from './cli/run.ts';
import { systemClock } from './clock.ts';
import { commands } from './features.ts';

// Who reads the output may have seen enough of it, as `head` does.
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
  });
} catch (error) {
  // What a person can mend is said by the command; anything else is a bug and shows where.
  process.stderr.write(`${inspect(error)}\n`);
  process.exitCode = 1;
}
