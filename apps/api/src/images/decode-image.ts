import type { ImageRefusal } from '@app/contract/images';
import { limits } from '@app/contract/limits';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { countScans } from './jpeg-scans.ts';

// Only formats that browsers support, so that fewer decoders get untrusted input.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif'].map((name) => `VipsForeignLoad${name}`),
});
// No image is decoded twice, and the other core is left to readers.
sharp.cache(false);
sharp.concurrency(1);

/** Encoders write ten to twenty. Each one of 25 million pixels costs about 10 ms. */
const maxScans = 100;

export type DecodeImage = typeof decodeImage;

/** The decoded pixels of an uploaded image. */
export interface Pixels {
  width: number;
  height: number;
  /** Starts a new pipeline with these pixels. */
  image: () => Sharp;
}

/**
 * Decodes an image, applies its orientation and reduces it. Only the pixels are left: no metadata or
 * hidden content.
 */
export async function decodeImage(
  bytes: Uint8Array,
  reduce: (image: Sharp) => Sharp,
): Promise<Pixels | { refused: ImageRefusal }> {
  // The header is checked before memory is allocated for the pixels.
  const header = await readHeader(bytes);
  if (!header || !isSupported(header)) return { refused: 'unreadable' };
  const { width, height, pageHeight = height } = header;
  if (width * pageHeight > limits.imagePixels) return { refused: 'too-many-pixels' };
  if (isAnimated(header, bytes)) return { refused: 'animated' };
  if (header.format === 'jpeg' && countScans(bytes) > maxScans) return { refused: 'too-complex' };
  try {
    const image = sharp(bytes, { limitInputPixels: limits.imagePixels, failOn: 'error' });
    const { data, info } = await reduce(image.autoOrient())
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { channels } = info;
    const raw = { width: info.width, height: info.height, channels };
    return { width: info.width, height: info.height, image: () => sharp(data, { raw }) };
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

/** PNG (3rd edition, 11.3.6.1) and AVIF (1.1, 6.3) declare animations in their headers. */
function isAnimated({ format, pages = 1 }: Metadata, bytes: Uint8Array): boolean {
  if (pages > 1) return true;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (format === 'png') {
    const announced = text.indexOf('acTL');
    return announced !== -1 && announced < text.indexOf('IDAT');
  }
  return format === 'heif' && text.toString('latin1', 8, 12) === 'avis';
}
