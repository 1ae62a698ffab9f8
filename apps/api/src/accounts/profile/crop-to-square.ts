import type { AvatarRefusal } from '@app/contract/accounts/avatars';
import { limits } from '@app/contract/limits';
import sharp, { type Metadata, type Sharp } from 'sharp';

/** Square WebP images, 512 and 96 px wide, without metadata. */
export interface Pictures {
  large: Uint8Array;
  small: Uint8Array;
}

export type CropResult = Pictures | { refused: AvatarRefusal };

const largeWidth = 512;
const smallWidth = 96;

// Only the formats browsers show: fewer decoders read untrusted input.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif'].map((name) => `VipsForeignLoad${name}`),
});
// The process handles one image, and the other core is for readers.
sharp.cache(false);
sharp.concurrency(1);

/**
 * Decodes an image, applies its orientation, crops it to the middle square and encodes it again, so
 * that no metadata or hidden content remains.
 */
export async function cropToSquare(bytes: Uint8Array): Promise<CropResult> {
  // Before any memory is allocated for the pixels.
  const header = await readHeader(bytes);
  if (!header || !isSupported(header)) return { refused: 'unreadable' };
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
    // Truncated or corrupt.
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

/** AVIF and HEIC share a container format. */
const isSupported = ({ format, compression }: Metadata): boolean =>
  ['jpeg', 'png', 'webp', 'gif'].includes(format) || (format === 'heif' && compression === 'av1');

/** PNG (3rd edition, 11.3.6.1) and AVIF (1.1, 6.3) announce animations. */
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
  const { data, info } = await square.raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const pixels = () => sharp(data, { raw: { width, height, channels } });
  const [large, small] = await Promise.all([
    pixels().webp({ quality: 82, effort: 5 }).toBuffer(),
    pixels().resize(smallWidth, smallWidth).webp({ quality: 85, effort: 5 }).toBuffer(),
  ]);
  return { large, small };
}
