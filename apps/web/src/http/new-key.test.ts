import { expect, test } from 'vitest';
import { newKey } from './new-key.ts';

test('creates unique version 4 UUIDs', () => {
  const keys = Array.from({ length: 1_000 }, newKey);
  for (const key of keys) {
    expect(key).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  }
  expect(new Set(keys).size).toBe(keys.length);
});
