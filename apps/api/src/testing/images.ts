import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { createImageProcessor, type ImageProcessor } from '../images/image-processor.ts';
import type { Log } from '../log.ts';

/** By operation and image, shared by all apps of a test worker. */
const results = new Map<string, unknown>();

/** The real image processor, except that it does not decode an image of an earlier test again. */
export function createTestImages(log: Log, clock: Clock): ImageProcessor {
  const images = createImageProcessor({ log, clock });
  async function once<Result>(
    operation: string,
    bytes: Uint8Array,
    process: () => Promise<Result>,
  ): Promise<Result> {
    const key = `${operation} ${createHash('sha256').update(bytes).digest('hex')}`;
    const known = results.get(key) as Result | undefined;
    if (known) return known;
    const result = await process();
    const isProcessed = typeof result === 'object' && result !== null && !('refused' in result);
    if (isProcessed) results.set(key, result);
    return result;
  }
  return {
    refuse: images.refuse,
    cropToSquare: (bytes, account) =>
      once('cropToSquare', bytes, () => images.cropToSquare(bytes, account)),
    resizePicture: (bytes, account) =>
      once('resizePicture', bytes, () => images.resizePicture(bytes, account)),
  };
}
