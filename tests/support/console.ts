import { format } from 'node:util';
import { afterEach } from 'vitest';

/**
 * Nothing here logs through console.error: what arrives there is a library's complaint or a lost
 * error, and fails the test it came up in. A test that expects one replaces console.error with
 * `vi.spyOn(console, 'error').mockImplementation(…)`, which ends with it (`restoreMocks`).
 */
const unexpected: string[] = [];
const print = console.error;

console.error = (...parts: unknown[]) => {
  unexpected.push(format(...parts));
  print(...parts);
};

afterEach(() => {
  const errors = unexpected.splice(0);
  if (errors.length > 0) throw new Error(`Unexpected console.error: ${errors.join('\n')}`);
});
