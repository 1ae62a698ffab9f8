// `pnpm --filter @app/web icons` renders the icons in public/ from the logo. icon-full.svg fills
// its square, because phones round the corners, and its mark is inside the safe zone (W3C Web App
// Manifest, "Icon masks").
import { readFile, writeFile } from 'node:fs/promises';
import pngToIco from 'png-to-ico';
import sharp from 'sharp';

const render = async (source: 'icon' | 'icon-full', size: number): Promise<Buffer> => {
  const svg = await readFile(new URL(`${source}.svg`, import.meta.url));
  return sharp(svg, { density: (72 * size) / 32 })
    .resize(size, size)
    .png({ palette: true, compressionLevel: 9, effort: 10 })
    .toBuffer();
};

const write = (name: string, bytes: Uint8Array): Promise<void> =>
  writeFile(new URL(`../public/${name}`, import.meta.url), bytes);

await write('icon-192.png', await render('icon', 192));
await write('icon-512.png', await render('icon', 512));
await write('icon-maskable-512.png', await render('icon-full', 512));
await write('apple-touch-icon.png', await render('icon-full', 180));
await write('favicon.ico', await pngToIco([await render('icon', 32)]));
