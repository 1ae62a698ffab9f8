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

test('ignores signals to the process group and finishes its work', async () => {
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

test('a signal to the process group while a process starts does not stop its task', async () => {
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

test('replaces an idle process that a signal has ended', async () => {
  const log = createLog('silent');
  const warn = vi.spyOn(log, 'warn');
  const { pidOf, pids } = makePool({ log });
  const idle = await pidOf();
  process.kill(idle, 'SIGTERM');
  await until(() => pids().length === 0);
  expect(await pidOf()).not.toBe(idle);
  expect(warn).not.toHaveBeenCalled();
});

test('fails a task that cannot be sent, even after an idle process has ended', async () => {
  const { run, pidOf, pids } = makePool();
  process.kill(await pidOf(), 'SIGTERM');
  await until(() => pids().length === 0);
  const uncloneable = { do: 'name-process', extra: () => undefined } as PoolTask;
  await expect(run(uncloneable)).rejects.toBeInstanceOf(ProcessEnded);
});

test('kills the process of a task that times out, and runs the next task', async () => {
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
  'a process that crashes (%s) fails only its own task',
  async (signal) => {
    const { run, pidOf } = makePool();
    await expect(run({ do: 'crash', signal })).rejects.toBeInstanceOf(ProcessEnded);
    expect(await pidOf()).toBeGreaterThan(0);
  },
);

test('logs and replaces an idle process that crashes', async () => {
  const log = createLog('silent');
  const warn = vi.spyOn(log, 'warn');
  const { pidOf } = makePool({ log });
  const pid = await pidOf();
  process.kill(pid, 'SIGKILL');
  await until(() => warn.mock.calls.length > 0);
  expect(await pidOf()).not.toBe(pid);
});

test('keeps the process of a task that throws', async () => {
  const { run, pidOf } = makePool();
  const pid = await pidOf();
  const failing = run({ do: 'throw' });
  await expect(failing).rejects.toThrow('a bug');
  await expect(failing).rejects.not.toBeInstanceOf(ProcessEnded);
  expect(await pidOf()).toBe(pid);
});

test('rejects tasks if the program is missing', async () => {
  const { run } = makePool({ filename: '/no/such/program.mjs' });
  await expect(run({ do: 'name-process' })).rejects.toThrow(/program/);
});

test('ends idle processes', async () => {
  const { pidOf, pids } = makePool({ idleTimeout: 1 });
  const pid = await pidOf();
  await until(() => !isAlive(pid));
  expect(pids()).toEqual([]);
});

test('starts with a low priority and without the server’s environment', async () => {
  vi.stubEnv('RESEND_API_KEY', 'a secret');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { run, pidOf } = makePool();
  expect(getPriority(await pidOf())).toBe(1);
  expect(await run({ do: 'list-settings' })).not.toContain('secret');
});

test('ends all of its processes, even busy ones', async () => {
  const { run, pidOf, pids, end } = makePool({ maxThreads: 2 });
  const idle = await pidOf();
  const spinning = expect(run({ do: 'spin' })).rejects.toThrow();
  const all = new Set([idle, ...pids()]);
  await end();
  await spinning;
  for (const pid of all) expect(isAlive(pid)).toBe(false);
});

test('processes end when their server is killed', async () => {
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
