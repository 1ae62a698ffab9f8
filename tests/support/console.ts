import { format } from 'node:util';
import { afterAll, afterEach } from 'vitest';

/**
 * The code never logs with console.error, so a call to it is a library's warning or a lost error,
 * and fails the test. A test that expects one replaces console.error with
 * `vi.spyOn(console, 'error').mockImplementation(…)`, which `restoreMocks` undoes.
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
