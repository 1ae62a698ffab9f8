import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';

const require = createRequire(import.meta.url);
const folder = fileURLToPath(new URL('../../.cache/fonts', import.meta.url));

/**
 * Writes a font file with only these characters, and all of their kerning and ligatures.
 * @param file a file of a package
 * @param ranges a CSS unicode-range: U+20-7E,U+A0
 * @returns the path of the new file
 */
export const writeSubset = async (file: string, ranges: string): Promise<string> => {
  const font = readFileSync(require.resolve(file));
  const subset = await subsetFont(font, charactersOf(ranges), { targetFormat: 'woff2' });
  mkdirSync(folder, { recursive: true });
  const path = join(folder, basename(file));
  // Atomic, because a build and a type check can run at the same time.
  writeFileSync(`${path}.${process.pid}`, subset);
  renameSync(`${path}.${process.pid}`, path);
  return path;
};

export const charactersOf = (ranges: string): string => {
  let characters = '';
  for (const range of ranges.split(',')) {
    const [first = 0, last = first] = range
      .replace('U+', '')
      .split('-')
      .map((hex) => Number.parseInt(hex, 16));
    for (let code = first; code <= last; code += 1) characters += String.fromCodePoint(code);
  }
  return characters;
};
