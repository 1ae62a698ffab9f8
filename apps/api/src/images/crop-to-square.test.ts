import { readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { noisePicture, plainPicture } from '../testing/pictures.ts';
import { maxScans, progressiveJpeg } from '../testing/progressive-jpeg.ts';
import { type AvatarImages, cropToSquare } from './crop-to-square.ts';

const cropped = async (bytes: Uint8Array): Promise<AvatarImages> => {
  const result = await cropToSquare(bytes);
  if ('refused' in result) throw new Error(`refused: ${result.refused}`);
  return result;
};

/** The colors of the quarters: top left, top right, bottom left, bottom right. */
async function quarters(bytes: Uint8Array): Promise<string[]> {
  const { data, info } = await sharp(bytes)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [
    [1, 1],
    [3, 1],
    [1, 3],
    [3, 3],
  ].map(([x = 0, y = 0]) => {
    const column = Math.floor((info.width * x) / 4);
    const row = Math.floor((info.height * y) / 4);
    const at = (row * info.width + column) * info.channels;
    const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
    const [low, high] = [60, 180];
    if (red > high && green < low && blue < low) return 'red';
    if (blue > high && green < low && red < low) return 'blue';
    return `rgb(${red} ${green} ${blue})`;
  });
}

const halves = (width: number, height: number) =>
  plainPicture(width, height, '#f00').composite([
    {
      input: { create: { width: width / 2, height, channels: 3, background: '#00f' } },
      gravity: 'east',
    },
  ]);

const gifFrames = async (frames: number): Promise<Uint8Array> => {
  const colors = ['#f00', '#0f0', '#00f'];
  const pictures = await Promise.all(
    colors.slice(0, frames).map((color) => plainPicture(20, 20, color).png().toBuffer()),
  );
  return sharp(pictures, { join: { animated: true } })
    .gif()
    .toBuffer();
};

describe('accepts', () => {
  test.each(['jpeg', 'png', 'webp', 'avif', 'gif'] as const)('%s', async (format) => {
    const { large, small } = await cropped(
      await plainPicture(700, 300, '#f00').toFormat(format).toBuffer(),
    );
    for (const [bytes, width] of [
      [large, 512],
      [small, 96],
    ] as const) {
      const output = await sharp(bytes).metadata();
      expect(output).toMatchObject({ format: 'webp', width, height: width, space: 'srgb' });
      expect(await quarters(bytes)).toEqual(['red', 'red', 'red', 'red']);
    }
  });

  test.each([
    [1, 1],
    [4_000, 2],
    [2, 4_000],
  ])('%i by %i pixels', async (width, height) => {
    const { large } = await cropped(await plainPicture(width, height).png().toBuffer());
    expect(await sharp(large).metadata()).toMatchObject({ width: 512, height: 512 });
  });

  test('CMYK and 16-bit images', async () => {
    const cmyk = await plainPicture(40, 40, '#f00').toColourspace('cmyk').jpeg().toBuffer();
    expect(await quarters((await cropped(cmyk)).large)).not.toContain('blue');
    const deep = await plainPicture(40, 40, '#f00').toColourspace('rgb16').png().toBuffer();
    expect(await quarters((await cropped(deep)).large)).toContain('red');
  });

  test('images with transparency, which is preserved', async () => {
    const glass = sharp({
      create: { width: 50, height: 50, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0 } },
    });
    const { large } = await cropped(await glass.png().toBuffer());
    expect(await sharp(large).metadata()).toMatchObject({ hasAlpha: true });
  });
});

test('crops to the middle square', async () => {
  const { large } = await cropped(await halves(1_200, 400).png().toBuffer());
  expect(await quarters(large)).toEqual(['red', 'blue', 'red', 'blue']);
});

test('applies the orientation', async () => {
  // Rotated by 90° (Exif 2.32, Orientation 6).
  const turned = await halves(400, 400).jpeg().withMetadata({ orientation: 6 }).toBuffer();
  const { large } = await cropped(turned);
  expect(await quarters(large)).toEqual(['red', 'red', 'blue', 'blue']);
  expect((await sharp(large).metadata()).orientation).toBeUndefined();
});

describe('removes', () => {
  const payload = '<script>alert(document.cookie)</script>';

  const zip = (): Buffer => {
    const data = deflateRawSync(payload);
    return Buffer.concat([Buffer.from('PK\u0003\u0004'), data, Buffer.from(payload)]);
  };

  const expectClean = async (bytes: Uint8Array): Promise<void> => {
    const pictures = await cropped(bytes);
    for (const output of [pictures.large, pictures.small]) {
      const text = Buffer.from(output).toString('latin1');
      for (const trace of ['script', 'alert', 'cookie', 'PK', 'Exif', 'GPS', 'Ann', 'ICC', 'XMP']) {
        expect(text).not.toContain(trace);
      }
      const { exif, icc, iptc, xmp, comments } = await sharp(output).metadata();
      expect([exif, icc, iptc, xmp, comments].filter(Boolean)).toEqual([]);
    }
  };

  test('EXIF location, camera and author', async () => {
    const exif = {
      IFD0: { Artist: 'Ann', ImageDescription: payload },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
    };
    await expectClean(await plainPicture().withExif(exif).withIccProfile('p3').jpeg().toBuffer());
    await expectClean(await plainPicture().withExif(exif).webp().toBuffer());
  });

  test.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)(
    'data after the end of a %s',
    async (format) => {
      const bytes = await plainPicture().toFormat(format).toBuffer();
      await expectClean(Buffer.concat([bytes, zip()]));
    },
  );

  test('comments in JPEG and GIF', async () => {
    const jpeg = await plainPicture().jpeg().toBuffer();
    const comment = Buffer.concat([
      Buffer.from([0xff, 0xfe, 0, payload.length + 2]),
      Buffer.from(payload),
    ]);
    await expectClean(Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]));
    // Also a valid script: GIF89a/*…*/=1;alert()
    const gif = Buffer.from(await plainPicture(10, 10).gif().toBuffer());
    const extension = Buffer.concat([
      Buffer.from([0x21, 0xfe, payload.length]),
      Buffer.from(payload),
      Buffer.from([0]),
    ]);
    const colors = 13 + 3 * 2 ** (((gif[10] ?? 0) & 7) + 1);
    await expectClean(Buffer.concat([gif.subarray(0, colors), extension, gif.subarray(colors)]));
  });
});

describe('rejects', () => {
  const expectRefusal = async (bytes: Uint8Array, refused: string): Promise<void> =>
    expect(await cropToSquare(bytes)).toEqual({ refused });

  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>';
  test.each([
    ['nothing', ''],
    ['one byte', 'G'],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['SVG', svg],
    ['SVG with a declaration', `<?xml version="1.0"?>${svg}`],
    ['PDF', '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>'],
    ['a script', '#!/bin/sh\necho hi'],
    ['HTML that begins as a GIF', 'GIF89a<script>alert(1)</script>'],
    ['the beginning of a PNG', '\x89PNG\r\n\x1a\n'],
    ['the beginning of a JPEG', '\xff\xd8\xff\xe0\u0000\u0010JFIF'],
    ['a PPM', 'P3 1 1 255 255 0 0'],
    ['a Radiance picture', '#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n\x01\x01\x01\x01'],
  ])('%s', async (_, text) => {
    await expectRefusal(Buffer.from(text, 'latin1'), 'unreadable');
  });

  test('an executable', async () => {
    await expectRefusal(readFileSync(process.execPath).subarray(0, 100_000), 'unreadable');
  });

  test('TIFF', async () => {
    await expectRefusal(await plainPicture().tiff().toBuffer(), 'unreadable');
  });

  test('HEIC by its brand, without decoding', async () => {
    const avif = Buffer.from(await plainPicture().avif().toBuffer());
    const heic = Buffer.from(avif.toString('latin1').replaceAll('avif', 'heic'), 'latin1');
    const hevc = Buffer.from(heic.toString('latin1').replaceAll('av01', 'hvc1'), 'latin1');
    await expectRefusal(hevc, 'unreadable');
  });

  test.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)('a %s cut off', async (format) => {
    const bytes = await noisePicture(200, 200).toFormat(format).toBuffer();
    for (const part of [0.05, 0.5, 0.9]) {
      await expectRefusal(bytes.subarray(0, Math.floor(bytes.length * part)), 'unreadable');
    }
  });

  test('animated images', async () => {
    await expectRefusal(await gifFrames(3), 'animated');
    const webp = await sharp(await gifFrames(2), { animated: true })
      .webp()
      .toBuffer();
    await expectRefusal(webp, 'animated');
  });

  test('animated PNG', async () => {
    const png = await plainPicture(20, 20).png().toBuffer();
    const announced = png.indexOf('IDAT') - 4;
    // acTL: two frames, infinite loop (PNG 3rd edition, 11.3.6.1).
    const chunk = Buffer.from('000000086163544c0000000200000000f38d9370', 'hex');
    const apng = Buffer.concat([png.subarray(0, announced), chunk, png.subarray(announced)]);
    await expectRefusal(apng, 'animated');
  });

  test('a JPEG with more than 100 scans', async () => {
    const image = (scans: number) => progressiveJpeg({ width: 5_000, height: 5_000, scans });
    // Decoding it takes 15 seconds of CPU time.
    await expectRefusal(image(maxScans), 'too-complex');
    await expectRefusal(image(101), 'too-complex');
    expect(await cropToSquare(image(100))).toHaveProperty('large');
  });

  test('more than 25 million pixels, regardless of the file size', async () => {
    const wide = await plainPicture(25_001, 1_000).png().toBuffer();
    expect(wide.length).toBeLessThan(400_000);
    await expectRefusal(wide, 'too-many-pixels');
    // The header claims 4 billion pixels.
    const png = Buffer.from(await plainPicture(10, 10).png().toBuffer());
    png.writeUInt32BE(65_000, 16);
    png.writeUInt32BE(65_000, 20);
    expect(await cropToSquare(png)).toHaveProperty('refused');
    expect(await cropToSquare(await plainPicture(5_000, 5_000).png().toBuffer())).toHaveProperty(
      'large',
    );
  });
});
