import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { program } from '../support/cli.ts';

test('a reader that ends early ends the command without an error', async () => {
  const cli = spawn(process.execPath, [program, 'help', '--json']);
  // As `| true` does.
  cli.stdout.destroy();
  const [err, [code]] = await Promise.all([text(cli.stderr), once(cli, 'close')]);
  expect({ err, code }).toEqual({ err: '', code: 0 });
});

test.skipIf(!existsSync('/dev/full'))('output that cannot be written is an error', async () => {
  const full = openSync('/dev/full', 'w');
  const cli = spawn(process.execPath, [program, 'help'], { stdio: ['ignore', full, 'pipe'] });
  const [err, [code]] = await Promise.all([text(cli.stderr as Readable), once(cli, 'close')]);
  expect({ err, code }).toEqual({
    err: expect.stringMatching(
      /^The output cannot be written: ENOSPC: no space left on device.*\.\n$/,
    ),
    code: 1,
  });
});

test('a pipe gets no escape sequences', async () => {
  const cli = spawn(process.execPath, [program, 'doctor'], {
    env: { PATH: '', DATA_DIR: '/nowhere', FORCE_COLOR: '1' },
  });
  const [out, err] = await Promise.all([text(cli.stdout), text(cli.stderr), once(cli, 'close')]);
  expect(err).toBe('');
  expect(out).toContain('failure  data folder: DATA_DIR /nowhere does not exist.');
  expect(out).not.toContain('\u001b');
});
