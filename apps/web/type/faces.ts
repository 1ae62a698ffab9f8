import { readFile } from 'node:fs/promises';

/** A font file that a stylesheet asks for as `url('@type/{name}.woff2')`. */
export interface Face {
  /** {family}-{part}, as in `text-core`. */
  name: string;
  /** `700`, or `400 700` where the file keeps the range. */
  weights: readonly number[];
  /** The characters that the file is for. */
  characters: ReadonlySet<number>;
}

const stylesheets = ['fonts', 'extended-font'].map(
  (name) => new URL(`../src/styles/${name}.css`, import.meta.url),
);

/**
 * What the stylesheet says of each file is what the file gets: the two cannot disagree.
 * @throws when a face leaves something unsaid, or two faces of a family have a character in common:
 * a browser would fetch the file of the one that is declared last (CSS Fonts 4 §4.5)
 */
export const readFaces = async (): Promise<Face[]> => {
  const css = (await Promise.all(stylesheets.map((file) => readFile(file, 'utf8')))).join('');
  const faces = [...css.matchAll(/@font-face\s*\{([^}]*)/g)].flatMap(([, rules = '']) => {
    const name = /url\('@type\/([\w-]+)\.woff2'\)/.exec(rules)?.[1];
    return name === undefined ? [] : [faceOf(name, rules)];
  });
  for (const [index, { name, characters }] of faces.entries()) {
    const others = faces.slice(0, index).filter((one) => familyOf(one.name) === familyOf(name));
    const shared = others.find((other) => !characters.isDisjointFrom(other.characters));
    if (shared) throw new Error(`@font-face: ${shared.name} and ${name} share characters`);
  }
  return faces;
};

export const familyOf = (name: string): string => name.slice(0, name.indexOf('-'));

const faceOf = (name: string, rules: string): Face => {
  const weights = /font-weight:([^;]*)/.exec(rules)?.[1]?.trim().split(' ').map(Number);
  const ranges = /unicode-range:([^;]*)/.exec(rules)?.[1];
  if (!weights || ranges === undefined) {
    throw new Error(`@font-face of ${name}.woff2 needs a font-weight and a unicode-range`);
  }
  const characters = new Set<number>();
  for (const [, first = '', last = first] of ranges.matchAll(/U\+([\dA-F]+)(?:-([\dA-F]+))?/gi)) {
    for (let at = Number.parseInt(first, 16); at <= Number.parseInt(last, 16); at += 1) {
      characters.add(at);
    }
  }
  return { name, weights, characters };
};
