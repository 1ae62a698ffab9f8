import { beforeAll, expect, test } from 'vitest';
import { createLettering, type Lettering } from './lettering.ts';
import { loadFonts } from './load-fonts.ts';

let lettering: Lettering;

beforeAll(async () => {
  const files = await loadFonts();
  // As Node hands small files out: somewhere in a larger piece of memory.
  lettering = createLettering(files.map((file) => Buffer.concat([Buffer.of(0), file]).subarray(1)));
});

test('letters come from whichever file has them; what none has is left out', () => {
  expect(lettering.drawable(' Łódź  → 漢字 “naïve”\ncafé 🚐 ')).toBe('Łódź “naïve” café');
  expect(lettering.drawable('漢字')).toBe('');
});

test('pairs are kerned, and a text is as wide as its outlines are long', () => {
  expect(lettering.widthOf('AV')).toBeLessThan(lettering.widthOf('A') + lettering.widthOf('V'));
  expect(lettering.outlines('Łé').match(/<path /g)).toHaveLength(2);
});
