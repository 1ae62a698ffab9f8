import type { ImageRefusal } from '@app/contract/images';
import { type DecodeImage, decodeImage } from './decode-image.ts';

/** Square WebP images, 512 and 96 px wide, without metadata. */
export interface AvatarImages {
  large: Uint8Array;
  small: Uint8Array;
}

const largeWidth = 512;
const smallWidth = 96;

export async function cropToSquare(
  bytes: Uint8Array,
  decode: DecodeImage = decodeImage,
): Promise<AvatarImages | { refused: ImageRefusal }> {
  const square = await decode(bytes, (image) =>
    image.resize(largeWidth, largeWidth, { fit: 'cover' }),
  );
  if ('refused' in square) return square;
  const [large, small] = await Promise.all([
    square.image().webp({ quality: 82, effort: 5 }).toBuffer(),
    square.image().resize(smallWidth, smallWidth).webp({ quality: 85, effort: 5 }).toBuffer(),
  ]);
  return { large, small };
}
