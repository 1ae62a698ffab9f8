import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Text gets compressed siblings; pictures and fonts are compressed already. */
export const isCompressible = (path: string): boolean =>
  /\.(?:html|css|js|mjs|json|xml|txt|svg|webmanifest|ico)$/.test(path);

/**
 * How hard to press: a `page` that its author waits for; a page of the `wholeSite`,
 * where thousands wait for each other; an `asset` of the build, pressed once and
 * fetched by every visitor.
 */
export type Effort = 'page' | 'wholeSite' | 'asset';

const efforts = {
  page: { brotli: 5, gzip: 6 },
  wholeSite: { brotli: 4, gzip: 4 },
  asset: { brotli: 11, gzip: 9 },
} as const;

/** The file as it is and its compressed siblings, by the ending that each gets. */
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
