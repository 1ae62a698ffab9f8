import { expect, test } from 'vitest';
import { withName } from './transports.ts';

test.each([
  ['hello@example.com', 'Acme AI', 'Acme AI <hello@example.com>'],
  ['hello@example.com', 'Acme, "Inc."', '"Acme, \\"Inc.\\"" <hello@example.com>'],
  ['Ann <ann@example.com>', 'Acme AI', 'Ann <ann@example.com>'],
])('formats the sender %s of %s as %s', (sender, name, expected) => {
  expect(withName(sender, name)).toBe(expected);
});
