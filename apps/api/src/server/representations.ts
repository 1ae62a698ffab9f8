import { createHash } from 'node:crypto';
import { compress } from './compress.ts';
import type { Encoding } from './encoding.ts';

export interface Representation {
  body: NonSharedBuffer;
  etag: string;
}

/** The same bytes in several encodings (RFC 9110 §8.4). */
export interface Representations {
  /** SHA-256 (hex) of the uncompressed bytes. */
  hash: string;
  isCompressible: boolean;
  etag(encoding: Encoding): string;
  identity: Representation;
  /** Undefined until `load` has compressed it. */
  cached(encoding: Encoding): Representation | undefined;
  /** Compresses the bytes when the encoding is first asked for. */
  load(encoding: Encoding): Promise<Representation>;
}

/** @param grew called with the bytes of each compressed representation that is kept from now on */
export function createRepresentations(
  bytes: NonSharedBuffer,
  isCompressible: boolean,
  grew: (bytes: number) => void = () => undefined,
): Representations {
  const digest = createHash('sha256').update(bytes).digest();
  // Half a hash is unique enough, and keeps headers short.
  const tag = digest.toString('base64url', 0, 16);
  const marks: Readonly<Record<Encoding, string>> = { identity: '', br: '-br', gzip: '-gz' };
  const etag = (encoding: Encoding): string => `"${tag}${marks[encoding]}"`;
  const identity = { body: bytes, etag: etag('identity') };
  const known = new Map<Encoding, Representation>([['identity', identity]]);
  const working = new Map<Encoding, Promise<Representation>>();

  async function create(encoding: Encoding): Promise<Representation> {
    if (encoding === 'identity') return identity;
    const body = await compress(bytes, encoding);
    const representation = { body, etag: etag(encoding) };
    known.set(encoding, representation);
    grew(body.length);
    return representation;
  }

  return {
    hash: digest.toString('hex'),
    isCompressible,
    etag,
    identity,
    cached: (encoding) => known.get(encoding),
    async load(encoding) {
      const found = known.get(encoding);
      if (found) return found;
      let creating = working.get(encoding);
      if (!creating) {
        creating = create(encoding).finally(() => working.delete(encoding));
        working.set(encoding, creating);
      }
      return creating;
    },
  };
}
