import { spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isTooOld } from './node-version.mjs';

/**
 * `npm start` as a process, in a workspace of a few files: pnpm, Astro and Rolldown are programs
 * that note that they were called, the server is one that does what a test asks of it.
 */
let top: string;

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(top, path)), { recursive: true });
  writeFileSync(join(top, path), text);
};

const makeWorkspace = () => {
  top = mkdtempSync(join(tmpdir(), 'start-'));
  for (const name of readdirSync(import.meta.dirname)) {
    if (name.endsWith('.mjs'))
      cpSync(join(import.meta.dirname, name), join(top, 'packages/tasks', name));
  }
  write('packages/tasks/package.json', '{}');
  write('package.json', '{ "devDependencies": { "node": "24" } }');
  write('apps/web/package.json', '{ "dependencies": { "astro": "7" } }');
  write('apps/web/src/page.astro', '<p>One</p>');
  write('apps/api/src/main.ts', "console.log('serving');");
  write(
    'bin/pnpm',
    `#!/bin/sh
if [ "$1" = --version ]; then echo 12.0.0; exit; fi
echo "pnpm $*"
[ -n "$BROKEN_INSTALL" ] && exit 7
mkdir -p node_modules/node/bin apps/web/node_modules/astro apps/api/node_modules/rolldown
ln -sf '${process.execPath}' node_modules/node/bin/node
cp astro/* apps/web/node_modules/astro/
cp rolldown/* apps/api/node_modules/rolldown/
`,
  );
  chmodSync(join(top, 'bin/pnpm'), 0o755);
  write('astro/package.json', '{ "bin": { "astro": "astro.cjs" } }');
  write(
    'astro/astro.cjs',
    `console.log('astro', ...process.argv.slice(2));
if (process.env.BROKEN_BUILD) process.exit(9);
require('fs').mkdirSync('dist', { recursive: true });
`,
  );
  write('apps/api/package.json', '{ "dependencies": { "rolldown": "1" } }');
  write('rolldown/package.json', '{ "bin": { "rolldown": "rolldown.cjs" } }');
  write(
    'rolldown/rolldown.cjs',
    `console.log('rolldown', ...process.argv.slice(2));
require('fs').mkdirSync('dist', { recursive: true });
require('fs').copyFileSync('src/main.ts', 'dist/main.js');
`,
  );
};

beforeEach(makeWorkspace);

afterEach(() => rmSync(top, { recursive: true, force: true }));

/** @param through what npm puts between itself and a script: a shell that does not pass signals on */
const begin = (env: Record<string, string> = {}, through?: 'sh', options: string[] = []) => {
  const script = join(top, 'packages/tasks/start.mjs');
  const [command, args] = through
    ? [through, ['-c', `'${process.execPath}' '${script}'; exit`]]
    : [process.execPath, [script, ...options]];
  return spawn(command, args, {
    cwd: tmpdir(),
    env: { PATH: `${join(top, 'bin')}:${process.env['PATH']}`, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
};

const ended = async (child: ReturnType<typeof begin>) => {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (part: Buffer) => {
      output += part.toString();
    });
  }
  const exitCode = await new Promise<number | null>((resolve) => {
    child.on('close', resolve);
  });
  return { exitCode, output };
};

const start = (env?: Record<string, string>) => ended(begin(env));

describe('npm start in a fresh clone', () => {
  it('installs, builds and serves, and the second time only serves', async () => {
    const first = await start();
    expect(first.output).toContain('pnpm install --frozen-lockfile');
    expect(first.output).toContain('astro build');
    expect(first.output).toContain('rolldown -c');
    expect(first.output).toMatch(/serving\n$/);
    expect(first.exitCode).toBe(0);
    expect(await start()).toEqual({ exitCode: 0, output: 'serving\n' });
  });

  it('says that an install failed, and tries again the next time', async () => {
    const { exitCode, output } = await start({ BROKEN_INSTALL: 'yes' });
    expect(exitCode).toBe(1);
    expect(output).toContain("Installing the dependencies failed (pnpm's exit code 7");
    expect(output).not.toContain('    at ');
    expect((await start()).output).toContain('pnpm install');
  });

  it('says that a build failed, and tries again the next time', async () => {
    const { exitCode, output } = await start({ BROKEN_BUILD: 'yes' });
    expect(exitCode).toBe(1);
    expect(output).toContain("Building the site failed (astro's exit code 9)");
    expect(output).not.toContain('    at ');
    expect((await start()).output).toContain('astro build');
  });

  it('passes its options on to the server', async () => {
    write('apps/api/src/main.ts', 'console.log(process.argv.slice(2));');
    const { output } = await ended(begin({}, undefined, ['--new']));
    expect(output).toMatch(/\[ '--new' \]\n$/);
  });

  it('lets a second start wait for the install of the first', async () => {
    const both = await Promise.all([start(), start()]);
    const output = both.map((one) => one.output).join();
    expect(output.match(/pnpm install/g)).toHaveLength(1);
    expect(output.match(/astro build/g)).toHaveLength(1);
    expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(existsSync(join(top, '.cache/tasks.lock'))).toBe(false);
  });
});

describe('npm start after an earlier one', () => {
  let ran: string;

  beforeAll(async () => {
    makeWorkspace();
    ran = top;
    await start();
  });

  beforeEach(() => cpSync(ran, top, { recursive: true, verbatimSymlinks: true }));

  afterAll(() => rmSync(ran, { recursive: true }));

  it.each([
    ['a page', () => write('apps/web/src/page.astro', '<p>Two</p>'), ['astro']],
    ['the contract', () => write('packages/contract/src/a.ts', ''), ['astro', 'rolldown']],
    ['the API', () => write('apps/api/src/new.ts', ''), ['rolldown']],
    ['a migration', () => write('packages/db/migrations/1.sql', ''), ['rolldown']],
    [
      'a dependency',
      () => write('apps/web/package.json', '{ "dependencies": {} }'),
      ['pnpm', 'astro'],
    ],
    ['the lockfile', () => write('pnpm-lock.yaml', ''), ['pnpm', 'astro', 'rolldown']],
    ['a deleted node_modules', () => remove('node_modules'), ['pnpm']],
    ["a deleted package's node_modules", () => remove('apps/web/node_modules'), ['pnpm']],
    ['a deleted build', () => remove('apps/web/dist'), ['astro']],
    ['a deleted bundle', () => remove('apps/api/dist'), ['rolldown']],
  ])('after %s does what is needed', async (_what, change, needed) => {
    change();
    const { output } = await start();
    const called = ['pnpm install', 'astro build', 'rolldown -c'].filter((call) =>
      output.includes(call),
    );
    expect(called.map((call) => call.split(' ')[0])).toEqual(needed);
    expect(output).toContain('serving');
  });

  const remove = (path: string) => rmSync(join(top, path), { recursive: true });

  it('ends with the exit code of the server', async () => {
    write('apps/api/dist/main.js', 'process.exit(3);');
    expect((await start()).exitCode).toBe(3);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('passes %s on and waits for the stop', async (signal) => {
    write(
      'apps/api/dist/main.js',
      `setInterval(() => {}, 1000);
process.on('${signal}', () => setTimeout(() => {
  require('fs').writeFileSync('${join(top, 'stopped')}', 'gracefully');
  process.exit(0);
}, 50));
console.log('ready');`,
    );
    const child = begin();
    child.stdout?.once('data', () => child.kill(signal));
    expect((await ended(child)).exitCode).toBe(0);
    expect(readFileSync(join(top, 'stopped'), 'utf8')).toBe('gracefully');
  });

  it('stops the server when the npm that called it is gone', async () => {
    write(
      'apps/api/dist/main.js',
      `setInterval(() => {}, 1000);
process.on('SIGTERM', () => process.exit(0));
console.log('ready', process.pid);`,
    );
    const npm = begin({ npm_lifecycle_event: 'start' }, 'sh');
    const isThere = (pid: number) => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    const pid = await new Promise<number>((resolve) => {
      npm.stdout?.once('data', (line: Buffer) => resolve(Number(line.toString().split(' ')[1])));
    });
    expect(isThere(pid)).toBe(true);
    npm.kill('SIGTERM');
    await expect.poll(() => isThere(pid), { timeout: 5_000 }).toBe(false);
  });
});

describe('an old Node', () => {
  it.each([
    ['18.20.4', true],
    ['19.9.0', true],
    ['20.0.0', false],
    ['24.21.0', false],
    ['100.0.0', false],
  ])('is one before 20: %s', (version, expected) => {
    expect(isTooOld(version)).toBe(expected);
  });
});
