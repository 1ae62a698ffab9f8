import sharp from 'sharp';
import { type IconShape, iconSvg } from './icon.ts';

/** @param size in pixels, of each side */
export const iconPng = (shape: IconShape, size: number): Promise<Buffer> =>
  sharp(Buffer.from(iconSvg(shape)), { density: (72 * size) / 32 })
    .resize(size, size)
    .png({ palette: true, compressionLevel: 9, effort: 10 })
    .toBuffer();
