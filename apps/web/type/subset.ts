import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import fontverter from 'fontverter';
import subsetFont from 'subset-font';
import { type Face, familyOf } from './faces.ts';
import { tablesOf, withTables } from './sfnt.ts';

const require = createRequire(import.meta.url);

/** Where npm has the families: each package splits its own into these parts. */
const packages: Readonly<Record<string, string>> = {
  display: 'bricolage-grotesque',
  text: 'instrument-sans',
};

type Part = 'latin' | 'latin-ext';

export const sourceOfPart = (family: string, part: Part): string => {
  const name = packages[family];
  if (name === undefined) throw new Error(`no package brings the typeface ${family}`);
  return require.resolve(`@fontsource-variable/${name}/files/${name}-${part}-wght-normal.woff2`);
};

/** The file of the package that a face is cut from. */
export const sourceOf = ({ name }: Face): string =>
  sourceOfPart(familyOf(name), name.endsWith('-latin-ext') ? 'latin-ext' : 'latin');

/** What else decides the bytes of the files: the programs, which are these files of theirs. */
export const tools: readonly string[] = [
  'subset-font/package.json',
  'fontverter/package.json',
  'harfbuzzjs/dist/harfbuzz-subset.wasm',
].map((file) => require.resolve(file));

/**
 * What the pages use: kerning, accents, and figures of one width for tables. Each of the
 * typefaces' other alternates brings glyphs along. Their f does not collide with an i.
 */
const features = ['kern', 'ccmp', 'tnum'];

/** Only needed to list the font in a menu, or to save a browser a small sum. */
const unneeded = ['STAT', 'HVAR', 'MVAR'];

/** A face's file: WOFF2, the same bytes for the same face. */
export const makeFont = async (face: Face): Promise<Buffer> => {
  const source = await readFile(sourceOf(face));
  const [lightest, heaviest] = [Math.min(...face.weights), Math.max(...face.weights)];
  const text = String.fromCodePoint(...face.characters);
  const pinned = await subset(source, text, lightest);
  if (lightest === heaviest) return fontverter.convert(pinned, 'woff2');

  const variable = await subset(source, text, { min: lightest, max: heaviest });
  return fontverter.convert(withKerningOf(pinned, variable), 'woff2');
};

/** One weight of a family's part with all its characters, uncompressed: for drawing letters. */
export const pinnedFont = async (family: string, part: Part, weight: number): Promise<Buffer> =>
  subsetFont(await readFile(sourceOfPart(family, part)), undefined, {
    targetFormat: 'sfnt',
    keepAllGlyphs: true,
    noHinting: true,
    keepFeatures: features,
    variationAxes: { wght: weight },
  });

const subset = (
  source: Buffer,
  text: string,
  wght: number | { min: number; max: number },
): Promise<Buffer> =>
  subsetFont(source, text, {
    targetFormat: 'sfnt',
    noHinting: true,
    keepFeatures: features,
    dropTables: unneeded,
    variationAxes: { wght },
  });

/**
 * Kerning that changes with the weight is half of a text face's bytes. That of the lightest
 * weight serves all of them: at weight 600 and 16 px, two small letters stand 0.04 px nearer or
 * farther on average, and never more than 0.4 px.
 */
const withKerningOf = (pinned: Buffer, variable: Buffer): Buffer => {
  const from = tablesOf(pinned);
  const into = tablesOf(variable);
  // The tables speak of glyphs by number.
  if (!from.get('cmap')?.equals(into.get('cmap') ?? Buffer.alloc(0))) {
    throw new Error('the two cuts of a font number their glyphs differently');
  }
  for (const tag of ['GPOS', 'GDEF']) {
    const table = from.get(tag);
    if (table) into.set(tag, table);
    else into.delete(tag);
  }
  return withTables(variable, into);
};
