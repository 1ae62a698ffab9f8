import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { isCompressible } from '../server/compressible.ts';

/**
 * `page`: one page whose author is waiting. `bulk`: one of thousands in a full render. `asset`: a
 * file of the build, compressed once and fetched by every visitor.
 */
export type Effort = 'page' | 'bulk' | 'asset';

const efforts = {
  page: { brotli: 5, gzip: 6 },
  bulk: { brotli: 4, gzip: 4 },
  asset: { brotli: 11, gzip: 9 },
} as const;

/** By file name suffix. */
export function siblingsOf(
  file: string,
  bytes: Uint8Array,
  effort: Effort,
): Record<string, Uint8Array> {
  if (!isCompressible(file)) return { '': bytes };
  const br = brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: efforts[effort].brotli,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
  const gz = gzipSync(bytes, { level: efforts[effort].gzip });
  return { '': bytes, '.br': br, '.gz': gz };
}
