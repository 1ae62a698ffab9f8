import pLimit, { type LimitFunction } from 'p-limit';
import { Tinypool } from 'tinypool';
import { createLruCache } from '../lru-cache.ts';

/** For waiting accounts, and for waiting tasks per account. More would wait for seconds. */
const maxWaiting = 20;

const idleTimeout = 10_000;

/**
 * A thread for work that would block all requests for up to 100 ms. It starts with the first task.
 * Accounts take turns, so that one with many tasks does not delay the others.
 * @param filename a module whose default export does the work
 * @returns a function that runs a task, or returns null if too many are waiting
 */
export function createAccountThread<Task, Result>(filename: string) {
  const pool = new Tinypool({ filename, minThreads: 0, maxThreads: 1, idleTimeout });
  const queues = createLruCache<LimitFunction>(1_000);
  return async (account: string, task: Task): Promise<Result | null> => {
    const queue = queues.get(account) ?? pLimit(1);
    if (pool.queueSize >= maxWaiting || queue.pendingCount >= maxWaiting) return null;
    queues.set(account, queue);
    return queue(() => pool.run(task));
  };
}
