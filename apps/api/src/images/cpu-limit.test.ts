import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withCpuLimit } from './cpu-limit.ts';

test('ends a process whose native code takes more CPU time', async () => {
  const program = join(import.meta.dirname, '../testing/cpu-limit-program.ts');
  const child = fork(program, ['200']);
  expect(await once(child, 'exit')).toEqual([null, 'SIGXCPU']);
});

test('returns the result of work that takes less, and its error', async () => {
  expect(await withCpuLimit(60_000, async () => 'done')).toBe('done');
  const failing = withCpuLimit(60_000, () => Promise.reject(new Error('a bug')));
  await expect(failing).rejects.toThrow('a bug');
});
