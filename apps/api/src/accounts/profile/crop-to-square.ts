import type { AvatarRefusal } from '@app/contract/accounts/avatars';
import { limits } from '@app/contract/limits';
import sharp, { type Metadata, type Sharp } from 'sharp';

/** A picture as it is kept: WebP, square, 512 and 96 px wide, without anything but its pixels. */
export interface Pictures {
  large: Uint8Array;
  small: Uint8Array;
}

export type CropResult = Pictures | { refused: AvatarRefusal };

const largeWidth = 512;
const smallWidth = 96;

// Of all that libvips reads, what browsers show: no other decoder gets to see a stranger's bytes.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif'].map((name) => `VipsForeignLoad${name}`),
});
// One picture a process: nothing to keep for the next one, and the other core is the readers'.
sharp.cache(false);
sharp.concurrency(1);

/**
 * Makes an avatar of a file, whatever it says it is: decodes it, turns it as its camera was held
 * (Exif orientation), cuts the middle square out and encodes that anew. So nothing of the file
 * is left but what it looks like: no place where it was taken, and nothing hidden in it or
 * behind its end.
 */
export async function cropToSquare(bytes: Uint8Array): Promise<CropResult> {
  // Its numbers are looked at before anything of that size is made.
  const header = await readHeader(bytes);
  if (!header || !isTaken(header)) return { refused: 'unreadable' };
  const { width, height, pageHeight = height } = header;
  if (width * pageHeight > limits.avatarPixels) return { refused: 'too-many-pixels' };
  if (isAnimated(header, bytes)) return { refused: 'animated' };
  try {
    return await encode(
      sharp(bytes, { limitInputPixels: limits.avatarPixels, failOn: 'error' })
        .autoOrient()
        .resize(largeWidth, largeWidth, { fit: 'cover', position: 'centre' })
        .toColourspace('srgb'),
    );
  } catch {
    // Cut off, or broken in the middle.
    return { refused: 'unreadable' };
  }
}

async function readHeader(bytes: Uint8Array): Promise<Metadata | null> {
  try {
    return await sharp(bytes, { limitInputPixels: false }).metadata();
  } catch {
    return null;
  }
}

/** AVIF comes in the container that HEIC comes in, too. */
const isTaken = ({ format, compression }: Metadata): boolean =>
  ['jpeg', 'png', 'webp', 'gif'].includes(format) || (format === 'heif' && compression === 'av1');

/**
 * Moving pictures have several pages; those of PNG and AVIF are not counted, but announced: by a
 * chunk before the first picture's data (PNG 3rd edition, 11.3.6.1), by the brand of the file
 * (AVIF 1.1, 6.3).
 */
function isAnimated({ format, pages = 1 }: Metadata, bytes: Uint8Array): boolean {
  if (pages > 1) return true;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (format === 'png') {
    const announced = text.indexOf('acTL');
    return announced !== -1 && announced < text.indexOf('IDAT');
  }
  return format === 'heif' && text.toString('latin1', 8, 12) === 'avis';
}

async function encode(square: Sharp): Promise<Pictures> {
  // Decoded once: both are made from the same pixels.
  const { data, info } = await square.raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const pixels = () => sharp(data, { raw: { width, height, channels } });
  const [large, small] = await Promise.all([
    pixels().webp({ quality: 82, effort: 5 }).toBuffer(),
    pixels().resize(smallWidth, smallWidth).webp({ quality: 85, effort: 5 }).toBuffer(),
  ]);
  return { large, small };
}
