import { readFileSync } from 'node:fs';
import { type CardParts, createPicture } from './picture.ts';
import { toPng } from './png.ts';

// build.ts bundles this module into a folder with the files that it reads.
const siblingFile = (name: string): URL => new URL(name, import.meta.url);
const { fonts, ...texts } = JSON.parse(readFileSync(siblingFile('parts.json'), 'utf8')) as Omit<
  CardParts,
  'fonts'
> & { fonts: string[] };
const picture = createPicture({
  ...texts,
  fonts: fonts.map((name) => readFileSync(siblingFile(name))),
});

export const drawCard = async (title: string): Promise<Buffer> => toPng(await picture(title));
