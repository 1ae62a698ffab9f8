import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import type { CardMaker } from './card-maker.ts';

/** Pictures at a time: they are drawn in libuv's threads, and a small machine has two cores. */
const atOnce = 4;

interface CardFolders {
  client: URL;
  cacheDir: URL;
  maker: CardMaker;
}

/**
 * Draws cards. Those of the build before are taken from where it kept them; what no page refers to
 * any more is not kept.
 * @param titles by path
 */
export const writeCards = async (
  titles: ReadonlyMap<string, string>,
  { client, cacheDir, maker: { draw } }: CardFolders,
): Promise<void> => {
  const kept = new URL('cards/', cacheDir);
  const cards = new URL('cards/', client);
  await mkdir(kept, { recursive: true });
  await mkdir(cards, { recursive: true });
  const names = new Map([...titles].map(([path, title]) => [basename(path), title]));
  const entries = names.entries();
  const drawAll = async (): Promise<void> => {
    for (const [name, title] of entries) {
      const file = new URL(name, kept);
      if (!existsSync(file)) {
        const drawing = new URL(`.${name}`, kept);
        await writeFile(drawing, await draw(title));
        await rename(drawing, file);
      }
      await writeFile(new URL(name, cards), await readFile(file));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, drawAll));
  for (const name of await readdir(kept)) {
    if (!names.has(name)) await rm(new URL(name, kept));
  }
};

/**
 * Leaves `draw.mjs` with all it needs, so that cards of posts are drawn while the site runs, in
 * a folder named after the design: a server that is still on the build before finds no card
 * there rather than one of another design. sharp comes with a compiled half, and Satori is
 * a bundle already: both stay where they are.
 * @returns the file's path from `dist`
 */
export const writeDrawing = async (dist: URL, { design, parts }: CardMaker): Promise<string> => {
  const path = `cards/${design}/`;
  const folder = new URL(path, dist);
  await mkdir(folder, { recursive: true });
  const bundle = await rolldown({
    input: fileURLToPath(new URL('draw.ts', import.meta.url)),
    platform: 'node',
    external: ['sharp', 'satori'],
  });
  await bundle.write({ file: fileURLToPath(new URL('draw.mjs', folder)), format: 'esm' });
  await bundle.close();
  const { fonts, ...texts } = parts;
  const names = fonts.map((_, index) => `letters-${index}.woff`);
  for (const [index, font] of fonts.entries()) {
    await writeFile(new URL(names[index] ?? '', folder), font);
  }
  await writeFile(new URL('parts.json', folder), JSON.stringify({ ...texts, fonts: names }));
  return `${path}draw.mjs`;
};
