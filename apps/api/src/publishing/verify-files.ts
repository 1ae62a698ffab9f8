import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { buildOrigin } from '@app/contract/pages';
import { isCompressible } from '../server/compressible.ts';
import type { FileFacts } from './manifest.ts';

/** A published file and what it is to be: by its record, or as a file of the build. */
export interface ExpectedFile {
  file: string;
  expected: FileFacts | { builtFile: string; publicUrl: string };
}

/** Whether a file and its compressed siblings hold what they should. Synchronous, for the press's threads. */
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
    // Missing, unreadable, or no compressed data.
    return false;
  }
}

function isExpected(bytes: Buffer, expected: ExpectedFile['expected']): boolean {
  if ('builtFile' in expected) {
    const { builtFile, publicUrl } = expected;
    return bytes.equals(installed(builtFile, readFileSync(builtFile), publicUrl));
  }
  return bytes.length === expected.size && hashOf(bytes) === expected.hash;
}

/** A file of the build as it is published: with the public address in place of its stand-in. */
export function installed(name: string, bytes: Buffer, publicUrl: string): Buffer {
  const mentionsOrigin = /\.(?:html|xml|txt|json|webmanifest)$/.test(name);
  return mentionsOrigin ? Buffer.from(bytes.toString().replaceAll(buildOrigin, publicUrl)) : bytes;
}

/** What the file of a page is verified against later. */
export const factsOf = (bytes: Uint8Array): FileFacts => ({
  size: bytes.length,
  hash: hashOf(bytes),
});

const hashOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('base64url');
