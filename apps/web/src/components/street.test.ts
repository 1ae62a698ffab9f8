import { expect, test } from 'vitest';
import { drawStreet } from './street.ts';

const street = (seed: string) => drawStreet({ seed, width: 640, height: 360 });

test('one seed always gives the same street, another seed another one', () => {
  expect(street('Voice AI agents')).toBe(street('Voice AI agents'));
  expect(street('Voice AI agents')).not.toBe(street('Voice AI agent'));
});

test.each(['', 'a', 'Five calls you miss', '電話', '"><script>'])('the street of %j', (seed) => {
  const svg = street(seed);
  expect(svg.match(/<path class="lit"/g), 'one house is lit').toHaveLength(1);
  expect(svg, 'the policy refuses style attributes').not.toContain('style=');
  expect(svg, 'every coordinate is a number').not.toMatch(/NaN|undefined|Infinity/);
  expect(svg, 'nothing of the seed is in it').not.toContain('script');
});
