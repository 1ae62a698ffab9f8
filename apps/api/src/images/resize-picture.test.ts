import { pictureSizes } from '@app/contract/blog/pictures';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { noisePicture, plainPicture } from '../testing/pictures.ts';
import { progressiveJpeg } from '../testing/progressive-jpeg.ts';
import { type PictureImages, resizePicture } from './resize-picture.ts';

async function resized(bytes: Uint8Array): Promise<PictureImages> {
  const result = await resizePicture(bytes);
  if ('refused' in result) throw new Error(`refused: ${result.refused}`);
  return result;
}

test.each([
  [
    'a photo',
    [2_000, 1_500],
    [
      [480, 360],
      [960, 720],
      [1_600, 1_200],
    ],
  ],
  [
    'a picture between two widths',
    [1_000, 500],
    [
      [480, 240],
      [960, 480],
      [1_000, 500],
    ],
  ],
  ['a small picture, which is not enlarged', [300, 200], [[300, 200]]],
  [
    'a long screenshot',
    [1_000, 5_000],
    [
      [480, 2_400],
      [640, 3_200],
    ],
  ],
  [
    'a line',
    [2_000, 1],
    [
      [480, 1],
      [960, 1],
      [1_600, 1],
    ],
  ],
] as const)('resizes %s', async (_, [width, height], sizes) => {
  const { images, ...largest } = await resized(await plainPicture(width, height).png().toBuffer());
  expect(pictureSizes(largest).map((size) => [size.width, size.height])).toEqual(sizes);
  const found = await Promise.all(
    images.map(async (image) => {
      const { format, compression, width, height } = await sharp(image.bytes).metadata();
      expect({ width, height }).toEqual({ width: image.width, height: image.height });
      return [compression === 'av1' ? 'avif' : format, width, height];
    }),
  );
  expect(found).toEqual(
    sizes.flatMap(([wide, high]) => [
      ['avif', wide, high],
      ['webp', wide, high],
    ]),
  );
});

test('applies the orientation and removes all metadata', async () => {
  // Long, because short texts occur in compressed bytes by chance.
  const artist = 'Ann of Main Street';
  const exif = {
    IFD0: { Artist: artist },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
  };
  const turned = await noisePicture(600, 300)
    .withExif(exif)
    .withIccProfile('p3')
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const { width, height, images } = await resized(turned);
  expect([width, height]).toEqual([300, 600]);
  for (const { bytes } of images) {
    const { exif, icc, iptc, xmp, comments, orientation } = await sharp(bytes).metadata();
    expect([exif, icc, iptc, xmp, comments, orientation].filter(Boolean)).toEqual([]);
    expect(Buffer.from(bytes).includes(artist)).toBe(false);
  }
});

test('keeps transparency', async () => {
  const glass = sharp({
    create: { width: 50, height: 50, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0 } },
  });
  const { images } = await resized(await glass.png().toBuffer());
  for (const { bytes } of images) expect((await sharp(bytes).metadata()).hasAlpha).toBe(true);
});

// crop-to-square.test.ts has all cases, because both use decodeImage.
test('refuses what it cannot read', async () => {
  expect(await resizePicture(Buffer.from('text'))).toEqual({ refused: 'unreadable' });
  const wide = await plainPicture(25_001, 1_000).png().toBuffer();
  expect(await resizePicture(wide)).toEqual({ refused: 'too-many-pixels' });
  const scans = progressiveJpeg({ scans: 101 });
  expect(await resizePicture(scans)).toEqual({ refused: 'too-complex' });
});
