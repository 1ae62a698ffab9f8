import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../../testing/until.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Whether a process handles a signal itself (proc_pid_status(5), SigCgt). */
function handles(pid: number | undefined, signal: (typeof signals)[number]): boolean {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const caught = BigInt(`0x${/^SigCgt:\s+([\da-f]+)$/m.exec(status)?.[1] ?? '0'}`);
  return (caught & (1n << BigInt(constants.signals[signal] - 1))) !== 0n;
}

test('leaves signals to the whole group to the server, and finishes its work', async () => {
  const child = fork(join(import.meta.dirname, 'body-process.ts'), [], {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // Not that it is ready, which it says first.
  const reply = new Promise((resolve) => {
    child.on('message', (message) => typeof message === 'object' && resolve(message));
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await until(() => signals.every((signal) => handles(child.pid, signal)));
  for (const signal of signals) child.kill(signal);
  child.send(['a *post*']);
  expect(await reply).toBeTypeOf('object');
});
