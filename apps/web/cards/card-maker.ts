import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { company } from '@app/site/company';
import { keptFiles } from '../type/kept.ts';
import { pinnedFont, sourceOfPart, tools } from '../type/subset.ts';
import { type CardParts, createPicture } from './picture.ts';
import { pngOptions, toPng } from './png.ts';

export interface CardMaker {
  /** Changes when the cards look different. */
  design: string;
  parts: CardParts;
  /** A card as PNG. */
  draw(title: string): Promise<Buffer>;
}

const fontParts = ['latin', 'latin-ext'] as const;
/** As the headings: styles/elements.css. */
const weight = 700;

/** What a change of the design shows on at least one of: our own card, few words, many, too many. */
const probes = [
  company.name,
  'Blog',
  'Łódź: “A call at 9:40 pm becomes a job at 8:00 am”',
  'What a plumber’s phone knows by the end of the day '.repeat(5),
];

/** @param cacheDir where the letters are kept from one build to the next */
export const loadCardMaker = async (cacheDir: URL): Promise<CardMaker> => {
  const [theme, street, fonts] = await Promise.all([
    readFile(new URL('../src/styles/theme.css', import.meta.url), 'utf8'),
    readFile(new URL('../src/components/street.css', import.meta.url), 'utf8'),
    loadFonts(cacheDir),
  ]);
  const parts = { name: company.name, theme, street, fonts };
  const picture = createPicture(parts);
  const hash = createHash('sha256').update(JSON.stringify(pngOptions));
  for (const title of probes) hash.update(picture(title));
  return {
    design: hash.digest('hex').slice(0, 16),
    parts,
    draw: (title) => toPng(picture(title)),
  };
};

const loadFonts = async (cacheDir: URL): Promise<Buffer[]> => {
  const ingredients = [
    String(weight),
    ...[...fontParts.map((part) => sourceOfPart('display', part)), ...tools].map((file) =>
      pathToFileURL(file),
    ),
    new URL('../type/subset.ts', import.meta.url),
  ];
  const folder = await keptFiles(new URL('card-letters/', cacheDir), ingredients, async () => {
    const made = new Map<string, Buffer>();
    for (const part of fontParts) made.set(part, await pinnedFont('display', part, weight));
    return made;
  });
  return Promise.all(fontParts.map((part) => readFile(new URL(part, folder))));
};
