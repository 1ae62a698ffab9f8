import { expect, test } from 'vitest';
import { drawStreet, streetColors } from './street.ts';

const street = (seed: string) => drawStreet({ seed, width: 640, height: 360 });

test('draws the same street only for the same seed', () => {
  expect(street('Voice AI agents')).toBe(street('Voice AI agents'));
  expect(street('Voice AI agents')).not.toBe(street('Voice AI agent'));
});

test.each(['', 'a', 'Five calls you miss', '電話', '"><script>'])(
  'draws valid SVG for the seed %j',
  (seed) => {
    const svg = street(seed);
    expect(svg.match(/<path class="lit"/g), 'exactly one house is lit').toHaveLength(1);
    expect(svg, 'the CSP blocks style attributes').not.toContain('style=');
    expect(svg, 'every coordinate is a number').not.toMatch(/NaN|undefined|Infinity/);
    expect(svg, 'the seed is not part of the SVG').not.toContain('script');
  },
);

test('uses exactly the colors that social cards read from the theme', () => {
  const streets = Array.from({ length: 50 }, (_, seed) => street(`${seed}`)).join('');
  const used = new Set([...streets.matchAll(/var\(--([\w-]+)\)/g)].map(([, name]) => name));
  expect([...used].sort()).toEqual([...streetColors].sort());
});
