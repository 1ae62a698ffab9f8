import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** If memory runs out, Linux kills this process, not the server (proc_pid_oom_score_adj(5)). */
export function endBeforeServer(): void {
  if (process.platform === 'linux') writeFileSync('/proc/self/oom_score_adj', '1000');
}

/**
 * Makes a function the work of a child process of a pool; see process-pool.ts. Ignores signals to
 * the whole process group, such as from Ctrl-C or systemd: the server waits for the work and then
 * ends the process. The pool ends an idle process with SIGTERM and a busy one with SIGKILL.
 * @param priority from 0 to 19 (lowest); the server has 0
 */
export function processWork<Task, Result>(
  priority: number,
  work: (task: Task) => Promise<Result>,
): (task: Task) => Promise<Result> {
  let isBusy = false;
  setPriority(priority);
  endBeforeServer();
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('SIGTERM', () => {
    if (!isBusy) process.exit();
  });
  process.on('disconnect', () => process.exit());
  return async (task) => {
    isBusy = true;
    try {
      return await work(task);
    } finally {
      isBusy = false;
    }
  };
}
