import { readFile } from 'node:fs/promises';

/** A font file that styles/fonts.css asks for as `url('@type/{name}.woff2')`. */
export interface Face {
  /** {family}-{part}, as in `text-core`. */
  name: string;
  /** `700`, or `400 700` where the file keeps the range. */
  weights: readonly number[];
  /** The characters that the file is for; those of a face further down are that one's. */
  characters: ReadonlySet<number>;
}

const stylesheet = new URL('../src/styles/fonts.css', import.meta.url);

/**
 * What the stylesheet says of each file is what the file gets: the two cannot disagree.
 * @throws when a face leaves something unsaid
 */
export const readFaces = async (): Promise<Face[]> => {
  const css = await readFile(stylesheet, 'utf8');
  const faces = [...css.matchAll(/@font-face\s*\{([^}]*)\}/g)].flatMap(([, rules = '']) => {
    const name = /url\('@type\/([\w-]+)\.woff2'\)/.exec(rules)?.[1];
    return name === undefined ? [] : [faceOf(name, rules)];
  });
  // CSS Fonts 4 §4.5: where ranges overlap, the face that is declared last has the character.
  return faces.map((face, index) => {
    const later = faces
      .slice(index + 1)
      .filter(({ name }) => familyOf(name) === familyOf(face.name));
    const taken = new Set(later.flatMap(({ characters }) => [...characters]));
    return { ...face, characters: face.characters.difference(taken) };
  });
};

export const familyOf = (name: string): string => name.slice(0, name.indexOf('-'));

const faceOf = (name: string, rules: string): Face => {
  const weights = /font-weight:([^;]*);/.exec(rules)?.[1]?.trim().split(' ').map(Number);
  const ranges = /unicode-range:([^;]*);/.exec(rules)?.[1];
  if (!weights || ranges === undefined) {
    throw new Error(`fonts.css: ${name} needs a font-weight and a unicode-range`);
  }
  const characters = new Set<number>();
  for (const [, first = '', last = first] of ranges.matchAll(/U\+([\dA-F]+)(?:-([\dA-F]+))?/gi)) {
    for (let at = Number.parseInt(first, 16); at <= Number.parseInt(last, 16); at += 1) {
      characters.add(at);
    }
  }
  return { name, weights, characters };
};
