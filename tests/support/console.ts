import { format } from 'node:util';
import { afterAll, afterEach } from 'vitest';

/**
 * Nothing here logs through console.error: what arrives there is a library's warning or a lost
 * error, and fails the test it came up in. A test that expects one replaces console.error with
 * `vi.spyOn(console, 'error').mockImplementation(…)`, which ends with it (`restoreMocks`).
 */
const unexpected: string[] = [];
const print = console.error;

// Node warns about invalid timeouts and uses 1 ms.
const onWarning = ({ name, message }: Error) => {
  if (/^Timeout\w+Warning$/.test(name)) unexpected.push(`${name}: ${message}`);
};
process.on('warning', onWarning);

console.error = (...parts: unknown[]) => {
  unexpected.push(format(...parts));
  print(...parts);
};

afterEach(() => {
  const errors = unexpected.splice(0);
  if (errors.length > 0) throw new Error(`Unexpected error or warning: ${errors.join('\n')}`);
});

afterAll(() => {
  console.error = print;
  process.off('warning', onWarning);
});
