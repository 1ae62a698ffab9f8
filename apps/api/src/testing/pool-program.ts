import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { processWork } from '../server/process-work.ts';

export type PoolTask =
  | { do: 'wait'; until: string }
  | { do: 'spin' }
  | { do: 'crash'; signal: NodeJS.Signals }
  | { do: 'throw' }
  | { do: 'name-process' }
  | { do: 'list-settings' };

export default processWork(1, async (task: PoolTask) => {
  switch (task.do) {
    case 'wait':
      while (!existsSync(task.until)) await pause(5);
      return process.pid;
    case 'spin':
      for (;;);
    case 'crash':
      process.kill(process.pid, task.signal);
      return pause(60_000);
    case 'throw':
      throw new Error('a bug');
    case 'name-process':
      return process.pid;
    case 'list-settings':
      return execFileSync('env', { encoding: 'utf8' });
  }
});
