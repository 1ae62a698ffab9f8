import pLimit, { type LimitFunction } from 'p-limit';
import { Tinypool } from 'tinypool';
import { createLruCache } from '../lru-cache.ts';

/** Accounts, or tasks of one account. More would wait for seconds. */
const maxWaiting = 20;

const idleTimeout = 10_000;

/**
 * A thread for work of up to 100 ms, for which requests would have to wait. It starts with the first
 * task. Accounts take turns, so that none of them keeps the others waiting.
 * @param filename exports the work as default
 * @returns runs a task; null if too many wait
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
