import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { isCompressible } from '../server/compressible.ts';

/**
 * `light` is for pages: an author waits for them, or thousands are rendered at once. `best` is for
 * files of the build (built-siblings.ts), and for pages once the server is idle (recompression.ts).
 */
export type Effort = 'light' | 'best';

const efforts = {
  light: { brotli: 3, gzip: 3 },
  best: { brotli: 11, gzip: 9 },
} as const;

/** @returns the compressed content by file name suffix */
export function compress(bytes: Uint8Array, effort: Effort): Record<'.br' | '.gz', Uint8Array> {
  const br = brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: efforts[effort].brotli,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
  return { '.br': br, '.gz': gzipSync(bytes, { level: efforts[effort].gzip }) };
}

/** @returns the content of the file ('') and of its compressed siblings, by file name suffix */
export const siblingsOf = (
  file: string,
  bytes: Uint8Array,
  effort: Effort,
): Record<string, Uint8Array> => ({
  '': bytes,
  ...(isCompressible(file) && compress(bytes, effort)),
});
