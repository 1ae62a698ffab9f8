import { vi } from 'vitest';

/** Waits for a state, even on a busy machine. */
export const until = <T>(condition: () => T | Promise<T>) =>
  vi.waitUntil(condition, { interval: 10, timeout: 90_000 });
