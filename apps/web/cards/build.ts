import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import type { CardMaker } from './card-maker.ts';

/** sharp encodes in libuv's four threads. */
const concurrency = 4;

interface CardFolders {
  client: URL;
  cacheDir: URL;
  maker: CardMaker;
}

/**
 * Renders cards, or copies them from the cache of an earlier build. Removes cards from the cache
 * that no page refers to anymore.
 * @param titles keyed by path
 */
export const writeCards = async (
  titles: ReadonlyMap<string, string>,
  { client, cacheDir, maker: { draw } }: CardFolders,
): Promise<void> => {
  const cache = new URL('cards/', cacheDir);
  const cards = new URL('cards/', client);
  await mkdir(cache, { recursive: true });
  await mkdir(cards, { recursive: true });
  const names = new Map([...titles].map(([path, title]) => [basename(path), title]));
  const entries = names.entries();
  const writeRemaining = async (): Promise<void> => {
    for (const [name, title] of entries) {
      const file = new URL(name, cache);
      if (!existsSync(file)) {
        const temporary = new URL(`.${name}`, cache);
        await writeFile(temporary, await draw(title));
        await rename(temporary, file);
      }
      await writeFile(new URL(name, cards), await readFile(file));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, writeRemaining));
  for (const name of await readdir(cache)) {
    if (!names.has(name)) await rm(new URL(name, cache));
  }
};

/**
 * Writes the module that renders the cards of posts, with its fonts. Its folder is named after the
 * design, so that a server that still runs the previous build cannot load a module with another
 * design. Does not bundle sharp, which has native binaries, and Satori, which is already a bundle.
 * @returns the module's path, relative to `dist`
 */
export const writeCardModule = async (dist: URL, { design, parts }: CardMaker): Promise<string> => {
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
  const names = fonts.map((_, index) => `font-${index}.woff`);
  for (const [index, font] of fonts.entries()) {
    await writeFile(new URL(names[index] ?? '', folder), font);
  }
  await writeFile(new URL('parts.json', folder), JSON.stringify({ ...texts, fonts: names }));
  return `${path}draw.mjs`;
};
