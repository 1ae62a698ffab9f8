import { AsyncLocalStorage } from 'node:async_hooks';

/** In milliseconds, by what was waited for. */
export type TimeSpent = Record<string, number>;

/** Set by callers that measure what their work waits for. */
export const timeSpent = new AsyncLocalStorage<TimeSpent | undefined>();

/** Adds the time of this work to that of its caller. Nested work is not counted twice. */
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
