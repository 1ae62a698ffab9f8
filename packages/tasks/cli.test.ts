import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';

/** A workspace that contains nothing but the tasks. */
let top: string;

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'cli-'));
  for (const name of readdirSync(import.meta.dirname)) {
    if (name.endsWith('.mjs'))
      cpSync(join(import.meta.dirname, name), join(top, 'packages/tasks', name));
  }
  mkdirSync(join(top, 'node_modules/node/bin'), { recursive: true });
  symlinkSync(process.execPath, join(top, 'node_modules/node/bin/node'));
  return () => rmSync(top, { recursive: true });
});

const cli = (...args: string[]) => {
  const program = join(top, 'packages/tasks/cli.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: tmpdir(),
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

it('says what to do before anything is built', () => {
  expect(cli('outbox', 'list')).toEqual({
    status: 1,
    stdout: '',
    stderr: '\nThe server is not built. Run `npm start` or `pnpm build` first.\n',
  });
});

it('passes on arguments unchanged, and returns output and exit code', () => {
  mkdirSync(join(top, 'apps/api/dist'), { recursive: true });
  writeFileSync(
    join(top, 'apps/api/dist/cli.js'),
    `console.log(JSON.stringify(process.argv.slice(2)), process.cwd());
console.error('no');
process.exitCode = 2;`,
  );
  writeFileSync(join(top, 'package.json'), '{}');
  expect(cli('outbox', 'resend', '--dead', '$HOME *')).toEqual({
    status: 2,
    stdout: `["outbox","resend","--dead","$HOME *"] ${top}\n`,
    stderr: 'no\n',
  });
});
