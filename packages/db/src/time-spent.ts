import { AsyncLocalStorage } from 'node:async_hooks';

/** In milliseconds, by what was waited for. */
export type TimeSpent = Record<string, number>;

/** For callers that want to know what their work waits for; undefined where nobody does. */
export const timeSpent = new AsyncLocalStorage<TimeSpent | undefined>();

/** Adds the time of this work to that of its caller. What it waits for itself is not counted twice. */
export async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const spent = timeSpent.getStore();
  if (spent === undefined) return work();
  const began = performance.now();
  try {
    return await timeSpent.run(undefined, work);
  } finally {
    spent[what] = (spent[what] ?? 0) + performance.now() - began;
  }
}
