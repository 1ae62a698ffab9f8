import { readFileSync } from 'node:fs';
import { formatHex } from 'culori';
import { expect, test } from 'vitest';
import { colors } from './theme.ts';

const theme = readFileSync(new URL('../../../web/src/styles/theme.css', import.meta.url), 'utf8');

test('emails have the colors of the site', () => {
  const ofTheSite = Object.fromEntries(
    [...theme.matchAll(/--([\w-]+):\s*light-dark\(([^;]+)\);/g)].map(([, name = '', pair = '']) => {
      const [day, night] = pair.split(/,(?![^(]*\))/).map((color) => formatHex(color.trim()));
      return [name, { day, night }];
    }),
  );
  const { tile, metal, light, ...named } = colors;
  expect(ofTheSite).toMatchObject(named);
  expect({ tile, metal, light }).toEqual({
    tile: { day: ofTheSite['primary']?.day, night: ofTheSite['near-too']?.night },
    metal: { day: ofTheSite['background']?.day, night: ofTheSite['background']?.day },
    light: { day: ofTheSite['accent']?.night, night: ofTheSite['accent']?.night },
  });
});
