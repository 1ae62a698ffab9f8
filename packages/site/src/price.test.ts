import { expect, test } from 'vitest';
import { formatPrice } from './price.ts';

test.each([
  [2499, 'USD', '$2,499'],
  [2499.5, 'USD', '$2,499.50'],
  [1999, 'EUR', '€1,999'],
  [250_000, 'JPY', '¥250,000'],
])('formats %d %s as %s', (amount, currency, shown) => {
  expect(formatPrice({ amount, currency })).toBe(shown);
});
