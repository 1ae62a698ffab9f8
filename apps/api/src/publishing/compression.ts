import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { isCompressible } from '../server/compressible.ts';

/**
 * `light`: a page that someone waits for, its author or thousands of other pages. `best`: a file of
 * the build (built-siblings.ts), and a page once the server is idle (recompression.ts).
 */
export type Effort = 'light' | 'best';

const efforts = {
  light: { brotli: 3, gzip: 3 },
  best: { brotli: 11, gzip: 9 },
} as const;

/** By file name suffix. */
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

/** The file, and its compressed siblings, by file name suffix. */
export const siblingsOf = (
  file: string,
  bytes: Uint8Array,
  effort: Effort,
): Record<string, Uint8Array> => ({
  '': bytes,
  ...(isCompressible(file) && compress(bytes, effort)),
});
