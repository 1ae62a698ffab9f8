import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { company } from '@app/site/company';
import { readColors } from '../brand/read-colors.ts';
import { loadFonts } from './load-fonts.ts';
import { type CardParts, cardColors, createPicture } from './picture.ts';
import { pngOptions, toPng } from './png.ts';

export interface CardMaker {
  /** Changes when the cards look different. */
  design: string;
  parts: CardParts;
  draw(title: string): Promise<Buffer>;
}

/**
 * Titles whose cards are hashed to detect changes of the design: the company's own card, few words,
 * many, too many, and none that can be drawn.
 */
const probes = [
  company.name,
  'Blog',
  'Łódź: “A call at 9:40 pm becomes a job at 8:00 am”',
  'What a plumber’s phone knows by the end of the day '.repeat(5),
  '“検索”!',
];

export const loadCardMaker = async (): Promise<CardMaker> => {
  const [theme, fonts] = await Promise.all([
    readFile(new URL('../src/styles/theme.css', import.meta.url), 'utf8'),
    loadFonts(),
  ]);
  const colorOf = readColors(theme);
  const colors = Object.fromEntries(
    cardColors.map((name) => [name, colorOf(name).night]),
  ) as CardParts['colors'];
  const parts = { name: company.name, colors, fonts };
  const picture = createPicture(parts);
  const hash = createHash('sha256').update(JSON.stringify(pngOptions));
  for (const title of probes) hash.update(await picture(title));
  return {
    design: hash.digest('hex').slice(0, 16),
    parts,
    draw: async (title) => toPng(await picture(title)),
  };
};
