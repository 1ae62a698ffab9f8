import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readFaces } from './faces.ts';

const faces = await readFaces();
const words = fileURLToPath(new URL('../../../packages/site/src', import.meta.url));

test('the company’s words need no more than the core files', () => {
  const names = readdirSync(words, { recursive: true, encoding: 'utf8' });
  const texts = names
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(`${words}/${name}`, 'utf8').replace(/\/\*[\s\S]*?\*\//g, ''));
  // The signs of code are everywhere in these files: whether a page shows one, weight.spec.ts sees.
  const used = new Set(
    [...texts.join('')].map((one) => one.codePointAt(0) ?? 0).filter((point) => point > 0x7f),
  );
  for (const { name, characters } of faces.filter((face) => !face.name.endsWith('-core'))) {
    const fetched = [...used.intersection(characters)].map((one) => String.fromCodePoint(one));
    expect([name, fetched]).toEqual([name, []]);
  }
});

test('a face is what the stylesheet says', () => {
  const [display] = faces.filter(({ name }) => name === 'display-core');
  expect(display?.weights).toEqual([700]);
  expect(display?.characters.has('é'.codePointAt(0) ?? 0)).toBe(true);
  expect(display?.characters.has('œ'.codePointAt(0) ?? 0)).toBe(false);
});
