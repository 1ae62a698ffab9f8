import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { program, cli as runCli } from '../support/cli.ts';
import { stoppedSite, temporaryFolder } from '../support/site-process.ts';

test('a command succeeds if the reader of its output ends early', async () => {
  const cli = spawn(process.execPath, [program, 'help', '--json']);
  // Like `| true`.
  cli.stdout.destroy();
  const [err, [code]] = await Promise.all([text(cli.stderr), once(cli, 'close')]);
  expect({ err, code }).toEqual({ err: '', code: 0 });
});

test('a command finishes even if nobody reads its progress, and its exit code shows the result', async () => {
  using folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  const dataDir = at('data');
  await stoppedSite(dataDir);
  const run = async (args: string[], data = dataDir) =>
    (await runCli(data, args, { isUnread: true })).code;

  expect(await run(['backup', at('site.tar.gz')])).toBe(0);
  expect(await run(['restore', at('site.tar.gz')], at('restored'))).toBe(0);
  expect(await run(['posts', 'export', at('posts')])).toBe(0);
  expect(await run(['site', 'export', at('site')])).toBe(0);

  // Only files of an exported site are readable for other users.
  const modeOf = (name: string) => statSync(at(name)).mode & 0o777;
  expect(['site.tar.gz', 'restored/site.db', 'posts/posts'].map(modeOf)).toEqual([
    0o600, 0o600, 0o700,
  ]);
  expect(modeOf('site/public/index.html')).toBe(0o666 & ~process.umask());

  truncateSync(at('site.tar.gz'), 1_000);
  expect(await run(['verify', at('site.tar.gz')])).toBe(1);
});

test.skipIf(!existsSync('/dev/full'))(
  'a command fails if its output cannot be written',
  async () => {
    const full = openSync('/dev/full', 'w');
    const cli = spawn(process.execPath, [program, 'help'], { stdio: ['ignore', full, 'pipe'] });
    const [err, [code]] = await Promise.all([text(cli.stderr as Readable), once(cli, 'close')]);
    expect({ err, code }).toEqual({
      err: expect.stringMatching(
        /^The output cannot be written: ENOSPC: no space left on device.*\.\n$/,
      ),
      code: 1,
    });
  },
);

test('output to a pipe has no escape sequences', async () => {
  const cli = spawn(process.execPath, [program, 'doctor'], {
    env: { PATH: '', DATA_DIR: '/nowhere', FORCE_COLOR: '1' },
  });
  const [out, err] = await Promise.all([text(cli.stdout), text(cli.stderr), once(cli, 'close')]);
  expect(err).toBe('');
  expect(out).toContain('failure  data folder: DATA_DIR /nowhere does not exist.');
  expect(out).not.toContain('\u001b');
});
