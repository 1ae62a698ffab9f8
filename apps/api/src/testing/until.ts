import { vi } from 'vitest';

/** Waits for a state, however long a busy machine takes to get there; gives what it found. */
export const until = <T>(condition: () => T | Promise<T>) =>
  vi.waitUntil(condition, { interval: 10, timeout: 15_000 });
