import { readFileSync } from 'node:fs';
import { formatHex } from 'culori';
import { expect, test } from 'vitest';
import { colors } from './theme.ts';

const theme = readFileSync(new URL('../../../web/src/styles/theme.css', import.meta.url), 'utf8');

test('emails have the colors of the site', () => {
  const siteColors = Object.fromEntries(
    [...theme.matchAll(/--([\w-]+):\s*light-dark\(([^;]+)\);/g)].map(([, name = '', pair = '']) => {
      const [day, night] = pair.split(/,(?![^(]*\))/).map((color) => formatHex(color.trim()));
      return [name, { day, night }];
    }),
  );
  const { tile, metal, light, ...named } = colors;
  expect(siteColors).toMatchObject(named);
  expect({ tile, metal, light }).toEqual({
    tile: { day: siteColors['primary']?.day, night: siteColors['near-too']?.night },
    metal: { day: siteColors['background']?.day, night: siteColors['background']?.day },
    light: { day: siteColors['accent']?.night, night: siteColors['accent']?.night },
  });
});
