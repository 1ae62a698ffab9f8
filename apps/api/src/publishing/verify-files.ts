import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { isCompressible } from '../server/compressible.ts';
import type { FileChecksum } from './manifest-lines.ts';
import { withPublicUrl } from './public-url.ts';

/** A published file and its expected content, given by a checksum or a file of the build. */
export interface ExpectedFile {
  file: string;
  expected: FileChecksum | { builtFile: string; publicUrl: string };
}

/** Synchronous, for verify-process.ts. */
export function isIntact({ file, expected }: ExpectedFile): boolean {
  try {
    const bytes = readFileSync(file);
    if (!isExpected(bytes, expected)) return false;
    if (!isCompressible(file)) return true;
    return (
      brotliDecompressSync(readFileSync(`${file}.br`)).equals(bytes) &&
      gunzipSync(readFileSync(`${file}.gz`)).equals(bytes)
    );
  } catch {
    return false;
  }
}

function isExpected(bytes: Buffer, expected: ExpectedFile['expected']): boolean {
  if ('builtFile' in expected) {
    const { builtFile, publicUrl } = expected;
    return bytes.equals(withPublicUrl(builtFile, readFileSync(builtFile), publicUrl));
  }
  return bytes.length === expected.size && hash('sha256', bytes, 'base64url') === expected.hash;
}

export const checksumOf = (bytes: Uint8Array): FileChecksum => ({
  size: bytes.length,
  hash: hash('sha256', bytes, 'base64url'),
});
