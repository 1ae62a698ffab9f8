import { fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { until } from './testing/until.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Whether a process handles a signal itself (proc_pid_status(5), SigCgt). */
function handles(pid: number | undefined, signal: (typeof signals)[number]): boolean {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const caught = BigInt(`0x${/^SigCgt:\s+([\da-f]+)$/m.exec(status)?.[1] ?? '0'}`);
  return (caught & (1n << BigInt(constants.signals[signal] - 1))) !== 0n;
}

test.each([
  ['blog/body-process.ts', ['a *post*']],
  ['publishing/card-process.ts', 'A title'],
  ['accounts/profile/picture-process.ts', new Uint8Array(8)],
])(
  '%s leaves signals to the whole group to the server, and finishes its work',
  async (file, work) => {
    const folder = mkdtempSync(join(tmpdir(), 'cards-'));
    const cardModule = join(folder, 'cards.mjs');
    writeFileSync(cardModule, 'export const drawCard = async () => new Uint8Array(1);');
    const child = fork(join(import.meta.dirname, file), [cardModule], {
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    // Not that it is ready, which some say first.
    const reply = new Promise((resolve) => {
      child.on('message', (message) => typeof message === 'object' && resolve(message));
    });
    onTestFinished(() => {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true });
    });
    await until(() => signals.every((signal) => handles(child.pid, signal)));
    for (const signal of signals) child.kill(signal);
    child.send(work);
    expect(await reply).toBeTypeOf('object');
  },
);
