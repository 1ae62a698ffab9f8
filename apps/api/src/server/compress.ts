import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

export type Coding = 'br' | 'gzip';

/** Brotli quality and gzip level: for what a visitor waits for, and for files of static hosts. */
const efforts = { fast: { br: 5, gzip: 6 }, best: { br: 11, gzip: 9 } } as const;

/** In libuv's thread pool, so it does not block the event loop. */
export function compress(
  bytes: Uint8Array,
  coding: Coding,
  effort: keyof typeof efforts = 'fast',
): Promise<NonSharedBuffer> {
  const quality = efforts[effort][coding];
  if (coding === 'gzip') return gzipAsync(bytes, { level: quality });
  const params = {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return brotliAsync(bytes, { params });
}
