import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../log.ts';
import { handles, signals } from '../testing/handled-signals.ts';
import type { PoolTask } from '../testing/pool-program.ts';
import { until } from '../testing/until.ts';
import { createProcessPool, ProcessEnded } from './process-pool.ts';

const filename = join(import.meta.dirname, '../testing/pool-program.ts');

type PoolOptions = Partial<Parameters<typeof createProcessPool>[0]>;

function makePool(options: PoolOptions = {}) {
  const pool = createProcessPool<PoolTask, unknown>({
    filename,
    maxThreads: 1,
    idleTimeout: 60_000,
    timeout: 60_000,
    log: createLog('silent'),
    ...options,
  });
  onTestFinished(pool.end);
  const pidOf = async () => Number(await pool.run({ do: 'name-process' }));
  return { ...pool, pidOf };
}

function makeGate() {
  const folder = mkdtempSync(join(tmpdir(), 'gate-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'open');
  return { file, open: () => writeFileSync(file, '') };
}

function isAlive(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[2] !== 'Z';
  } catch {
    return false;
  }
}

test('names processes after their program', async () => {
  const pid = await makePool().pidOf();
  expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toMatch(/^pool-program\0/);
});

test('leaves signals to the whole group to the server, and finishes its work', async () => {
  const { run, pids } = makePool();
  const gate = makeGate();
  const working = run({ do: 'wait', until: gate.file });
  await until(() => {
    const [pid] = pids();
    return pid !== undefined && signals.every((signal) => handles(pid, signal));
  });
  const pid = pids()[0] ?? Number.NaN;
  for (const signal of signals) process.kill(pid, signal);
  gate.open();
  expect(await working).toBe(pid);
});

test('a signal to the whole group while a process starts does not stop its task', async () => {
  const log = createLog('silent');
  const warn = vi.spyOn(log, 'warn');
  const { pidOf, pids } = makePool({ log });
  const naming = pidOf();
  const [starting = Number.NaN] = pids();
  process.kill(starting, 'SIGTERM');
  expect(await naming).not.toBe(starting);
  expect(warn).not.toHaveBeenCalled();
});

test('a signal while a process loads its program does not stop its task', async () => {
  const gate = makeGate();
  const program = join(dirname(gate.file), 'program.mjs');
  writeFileSync(
    program,
    `import { existsSync, writeFileSync } from 'node:fs';
    import { setTimeout } from 'node:timers/promises';
    const gate = ${JSON.stringify(gate.file)};
    writeFileSync(gate + '.awaited', '');
    while (!existsSync(gate)) await setTimeout(5);
    export default () => process.pid;`,
  );
  const { pidOf, pids } = makePool({ filename: program });
  const naming = pidOf();
  const [loading = Number.NaN] = pids();
  await until(() => existsSync(`${gate.file}.awaited`));
  process.kill(loading, 'SIGTERM');
  gate.open();
  expect(await naming).not.toBe(loading);
});

test('an idle process that such a signal ends is replaced', async () => {
  const log = createLog('silent');
  const warn = vi.spyOn(log, 'warn');
  const { pidOf, pids } = makePool({ log });
  const idle = await pidOf();
  process.kill(idle, 'SIGTERM');
  await until(() => pids().length === 0);
  expect(await pidOf()).not.toBe(idle);
  expect(warn).not.toHaveBeenCalled();
});

test('a task that cannot be sent fails, also after a process without a task has ended', async () => {
  const { run, pidOf, pids } = makePool();
  process.kill(await pidOf(), 'SIGTERM');
  await until(() => pids().length === 0);
  const uncloneable = { do: 'name-process', extra: () => undefined } as PoolTask;
  await expect(run(uncloneable)).rejects.toBeInstanceOf(ProcessEnded);
});

test('a task over its time is killed with its process, and the next one works', async () => {
  const { run, pidOf, pids } = makePool();
  const pid = await pidOf();
  const timeout = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(timeout.signal);
  const spinning = run({ do: 'spin' });
  timeout.abort();
  await expect(spinning).rejects.toBeInstanceOf(ProcessEnded);
  const next = await pidOf();
  expect(next).not.toBe(pid);
  expect(pids()).toEqual([next]);
  await until(() => !isAlive(pid));
});

test.each(['SIGSEGV', 'SIGABRT', 'SIGKILL'] as const)(
  'a process that crashes (%s) fails its own task only',
  async (signal) => {
    const { run, pidOf } = makePool();
    await expect(run({ do: 'crash', signal })).rejects.toBeInstanceOf(ProcessEnded);
    expect(await pidOf()).toBeGreaterThan(0);
  },
);

test('a process that crashes without a task is logged and replaced', async () => {
  const log = createLog('silent');
  const warn = vi.spyOn(log, 'warn');
  const { pidOf } = makePool({ log });
  const pid = await pidOf();
  process.kill(pid, 'SIGKILL');
  await until(() => warn.mock.calls.length > 0);
  expect(await pidOf()).not.toBe(pid);
});

test('an error of the work leaves its process alone', async () => {
  const { run, pidOf } = makePool();
  const pid = await pidOf();
  const failing = run({ do: 'throw' });
  await expect(failing).rejects.toThrow('a bug');
  await expect(failing).rejects.not.toBeInstanceOf(ProcessEnded);
  expect(await pidOf()).toBe(pid);
});

test('a program that is missing is an error, too', async () => {
  const { run } = makePool({ filename: '/no/such/program.mjs' });
  await expect(run({ do: 'name-process' })).rejects.toThrow(/program/);
});

test('an idle process ends and returns its memory', async () => {
  const { pidOf, pids } = makePool({ idleTimeout: 1 });
  const pid = await pidOf();
  await until(() => !isAlive(pid));
  expect(pids()).toEqual([]);
});

test('isolated tasks have a process each, which ends with its task', async () => {
  const { pidOf, pids } = makePool({ isolateWorkers: true });
  const pid = await pidOf();
  expect(pids()).toEqual([]);
  expect(await pidOf()).not.toBe(pid);
});

test('starts with a low priority and without the server’s environment', async () => {
  vi.stubEnv('RESEND_API_KEY', 'a secret');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { run, pidOf } = makePool();
  expect(getPriority(await pidOf())).toBe(1);
  expect(await run({ do: 'list-settings' })).not.toContain('secret');
});

test('ends its processes, busy ones too', async () => {
  const { run, pidOf, pids, end } = makePool({ maxThreads: 2 });
  const idle = await pidOf();
  const spinning = expect(run({ do: 'spin' })).rejects.toThrow();
  const all = new Set([idle, ...pids()]);
  await end();
  await spinning;
  for (const pid of all) expect(isAlive(pid)).toBe(false);
});

test('processes end with a server that is killed', async () => {
  const gate = makeGate();
  const server = join(dirname(gate.file), 'server.mjs');
  writeFileSync(
    server,
    `import { createProcessPool } from ${JSON.stringify(join(import.meta.dirname, 'process-pool.ts'))};
    const pool = createProcessPool({
      filename: ${JSON.stringify(filename)},
      maxThreads: 2,
      idleTimeout: 60_000,
      timeout: 60_000,
      log: console,
    });
    const pid = await pool.run({ do: 'name-process' });
    const busy = pool.run({ do: 'wait', until: ${JSON.stringify(gate.file)} });
    const other = await pool.run({ do: 'name-process' });
    process.send([pid, other]);
    await busy;`,
  );
  const child = fork(server, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const [pids] = (await once(child, 'message')) as [number[]];
  expect(new Set(pids).size).toBe(2);
  child.kill('SIGKILL');
  await until(() => pids.every((pid) => !isAlive(pid)));
});
