import { expect, test } from 'vitest';
import { noisePicture } from '../testing/pictures.ts';
import { progressiveJpeg } from '../testing/progressive-jpeg.ts';
import { countScans } from './jpeg-scans.ts';

test('counts the scans of files that encoders write', async () => {
  const picture = noisePicture(200, 100);
  expect(countScans(await picture.jpeg().toBuffer())).toBe(1);
  expect(countScans(await picture.jpeg({ progressive: true }).toBuffer())).toBe(10);
  const optimized = await picture.jpeg({ mozjpeg: true }).toBuffer();
  expect(countScans(optimized)).toBeLessThan(20);
});

test('counts each of a thousand scans', () => {
  expect(countScans(progressiveJpeg({ scans: 1_000 }))).toBe(1_000);
});

const [start, end] = [Buffer.from([0xff, 0xd8]), Buffer.from([0xff, 0xd9])];
const segment = (marker: number, content: Buffer): Buffer => {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(content.length + 2);
  return Buffer.concat([Buffer.from([0xff, marker]), length, content]);
};
const scan = segment(0xda, Buffer.alloc(10));

test('does not count those of a thumbnail, or what follows the image', () => {
  const thumbnail = Buffer.concat([start, scan, end]);
  const motionPhoto = Buffer.concat([start, segment(0xe1, thumbnail), scan, end, scan, scan]);
  expect(countScans(motionPhoto)).toBe(1);
});

test('counts those that a decoder finds behind padding, restarts and unknown markers', () => {
  const data = Buffer.from([1, 0xff, 0, 2, 0xff, 0xd3, 3, 0xff, 0x02, 4, 0xff, 0xff, 0xff]);
  const jpeg = Buffer.concat([start, scan, data, scan.subarray(1), data, scan.subarray(1), end]);
  expect(countScans(jpeg)).toBe(3);
});

test.each([0, 1, 2, 3, 20, 30])('reads a file that ends after %i bytes', (length) => {
  const jpeg = Buffer.concat([start, scan, scan, scan]);
  expect(countScans(jpeg.subarray(0, length))).toBe(Math.ceil(Math.max(0, length - 3) / 14));
});
