import { fork } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { handles, signals } from '../../testing/handled-signals.ts';
import { until } from '../../testing/until.ts';

test('ignores signals to the process group, and finishes its work', async () => {
  const child = fork(join(import.meta.dirname, 'body-process.ts'), [], {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // The first message is a string, which says that the process is ready.
  const reply = new Promise((resolve) => {
    child.on('message', (message) => typeof message === 'object' && resolve(message));
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await until(() => signals.every((signal) => handles(child.pid, signal)));
  for (const signal of signals) child.kill(signal);
  child.send(['a *post*']);
  expect(await reply).toBeTypeOf('object');
});
