import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isTooOld } from './node-version.mjs';
import { root } from './run.mjs';

/**
 * Runs `npm start` as a process, in a small workspace with the real package.json files. pnpm, Astro
 * and Rolldown are scripts that record their calls, and the server is a script of the test.
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
  for (const file of ['package.json', 'apps/web/package.json', 'apps/api/package.json'])
    cpSync(join(root, file), join(top, file));
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'tsconfig.base.json'])
    write(file, '');
  write('apps/web/src/page.astro', '<p>One</p>');
  write('apps/api/src/main.ts', "console.log('serving');");
  program(
    'bin/pnpm',
    `if [ "$1" = --version ]; then echo 12.0.0; exit; fi
echo "pnpm $*"
[ -n "$BROKEN_INSTALL" ] && exit 7
mkdir -p node_modules/node/bin node_modules/.bin
ln -sf '${process.execPath}' node_modules/node/bin/node
ln -sfn '${join(root, 'node_modules/wireit')}' node_modules/wireit
cp bin/astro bin/rolldown node_modules/.bin
`,
  );
  program(
    'bin/astro',
    `echo "astro $*" | tee -a ../../calls
[ -n "$BROKEN_BUILD" ] && exit 9
mkdir -p dist && cat src/page.astro > dist/page.html
`,
  );
  program(
    'bin/rolldown',
    `echo "rolldown $*" >> ../../calls
mkdir -p dist && cat src/main.ts > dist/main.js
`,
  );
};

const program = (path: string, script: string) => {
  write(path, `#!/bin/sh\n${script}`);
  chmodSync(join(top, path), 0o755);
};

/** The builds that ran since the last call. */
const builds = (): string[] => {
  const file = join(top, 'calls');
  const calls = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  rmSync(file, { force: true });
  return calls.map((call) => call.split(' ')[0] ?? '').sort();
};

beforeEach(makeWorkspace);

afterEach(() => rmSync(top, { recursive: true, force: true }));

/** @param through a shell that does not pass signals on, as npm uses to run scripts */
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

/** Resolves when the command has printed something that matches. */
const printed = (child: ReturnType<typeof begin>, text: RegExp) =>
  new Promise<RegExpExecArray>((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (part: Buffer) => {
      output += part.toString();
      const found = text.exec(output);
      if (found) resolve(found);
    });
    child.on('close', () => reject(new Error(`ended without ${text}:\n${output}`)));
  });

const start = (env?: Record<string, string>) => ended(begin(env));

describe('npm start in a fresh clone', () => {
  it('installs, builds and serves, and the second time only serves', async () => {
    const first = await start();
    expect(first.output).toContain('pnpm install --frozen-lockfile');
    expect(first.output).toMatch(/serving\n$/);
    expect(first.exitCode).toBe(0);
    expect(builds()).toEqual(['astro', 'rolldown']);
    const second = await start();
    expect(second.output).not.toContain('pnpm');
    expect(second.output).toMatch(/serving\n$/);
    expect(builds()).toEqual([]);
  });

  it('reports a failed install and tries again the next time', async () => {
    const { exitCode, output } = await start({ BROKEN_INSTALL: 'yes' });
    expect(exitCode).toBe(1);
    expect(output).toContain("Installing the dependencies failed (pnpm's exit code 7");
    expect(output).not.toContain('    at ');
    expect((await start()).output).toContain('pnpm install');
  });

  it('reports a failed build with its output and tries again the next time', async () => {
    const { exitCode, output } = await start({ BROKEN_BUILD: 'yes' });
    expect(exitCode).toBe(1);
    expect(output).toContain('astro build');
    expect(output).toContain('[apps/web:build] exited with exit code 9');
    expect(output).not.toContain('serving');
    builds();
    expect((await start()).output).toMatch(/serving\n$/);
    expect(builds()).toContain('astro');
  });

  it('passes its options on to the server', async () => {
    write('apps/api/src/main.ts', 'console.log(process.argv.slice(2));');
    const { output } = await ended(begin({}, undefined, ['--new']));
    expect(output).toMatch(/\[ '--new' \]\n$/);
  });
});

describe('npm start after an earlier one', () => {
  let folder: string;

  beforeAll(async () => {
    makeWorkspace();
    await start();
    builds();
    folder = top;
    renameSync(folder, `${folder}.built`);
  });

  // Wireit only recognizes builds in their own folder, with the exact times of their files. Node
  // would round these times when it copies.
  beforeEach(() => {
    rmSync(top, { recursive: true });
    top = folder;
    execFileSync('cp', ['-a', `${folder}.built`, folder]);
  });

  afterAll(() => rmSync(`${folder}.built`, { recursive: true }));

  it.each([
    ['a page', () => write('apps/web/src/page.astro', '<p>Two</p>'), ['astro']],
    ['the contract', () => write('packages/contract/src/a.ts', ''), ['astro', 'rolldown']],
    ['the API', () => write('apps/api/src/new.ts', ''), ['rolldown']],
    ['a migration', () => write('packages/db/migrations/1.sql', ''), ['rolldown']],
    ['the lockfile', () => write('pnpm-lock.yaml', 'new'), ['pnpm', 'astro', 'rolldown']],
    ['a deleted node_modules', () => remove('node_modules'), ['pnpm']],
    ['a deleted build', () => remove('apps/web/dist'), ['astro']],
    ['a deleted bundle', () => remove('apps/api/dist'), ['rolldown']],
  ])('after %s, only runs what is needed', async (_what, change, needed) => {
    change();
    const { output } = await start();
    const installs = output.includes('pnpm install') ? ['pnpm'] : [];
    expect([...installs, ...builds()]).toEqual(needed);
    expect(output).toContain('serving');
  });

  const remove = (path: string) => rmSync(join(top, path), { recursive: true });

  it('builds once when two start at the same time', async () => {
    write('packages/contract/src/a.ts', '');
    const both = await Promise.all([start(), start()]);
    expect(both).toMatchObject([{ exitCode: 0 }, { exitCode: 0 }]);
    expect(builds()).toEqual(['astro', 'rolldown']);
  });

  it('ends with the exit code of the server', async () => {
    write('apps/api/src/main.ts', 'process.exit(3);');
    expect((await start()).exitCode).toBe(3);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'passes on %s and waits until the server has stopped',
    async (signal) => {
      write(
        'apps/api/src/main.ts',
        `import { writeFileSync } from 'node:fs';
setInterval(() => {}, 1000);
process.on('${signal}', () => setTimeout(() => {
  writeFileSync('${join(top, 'stopped')}', 'gracefully');
  process.exit(0);
}, 50));
console.log('ready');`,
      );
      const child = begin();
      void printed(child, /^ready/m).then(() => child.kill(signal));
      expect((await ended(child)).exitCode).toBe(0);
      expect(readFileSync(join(top, 'stopped'), 'utf8')).toBe('gracefully');
    },
  );

  it('stops the server when the npm that started it has ended', async () => {
    write(
      'apps/api/src/main.ts',
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
    const [, pid] = (await printed(npm, /^ready (\d+)$/m)).map(Number);
    if (!pid) throw new Error('no process id');
    expect(isThere(pid)).toBe(true);
    npm.kill('SIGTERM');
    await expect.poll(() => isThere(pid)).toBe(false);
  });
});

describe('isTooOld', () => {
  it.each([
    ['18.20.4', true],
    ['19.9.0', true],
    ['20.0.0', false],
    ['24.21.0', false],
    ['100.0.0', false],
  ])('Node %s: %s', (version, expected) => {
    expect(isTooOld(version)).toBe(expected);
  });
});
