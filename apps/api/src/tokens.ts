import { createHmac, hash, randomBytes, randomUUIDv7, timingSafeEqual } from 'node:crypto';

/**
 * UUID version 7 (RFC 9562 §5.7). Starts with the time, so that rows created together are adjacent
 * in indexes: otherwise a commit of fifty rows would write a hundred more pages. Not a secret.
 */
export const newId = (): string => randomUUIDv7();

/** 256 random bits, safe in URLs (OWASP requires 64). */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** SHA-256 (hex). A fast hash is enough for a random token. */
export const hashToken = (token: string): string => hash('sha256', token);

/** Takes the same time regardless of how many characters match. */
export const isSameSecret = (given: string, secret: string): boolean =>
  timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', secret, 'buffer'));

/** Removes tokens from a path for logs. Slugs have no capital letters. */
export const withoutTokens = (path: string): string =>
  path.replace(/[\w-]{32,}/g, (text) => (/[A-Z]/.test(text) ? '…' : text));

/** Signatures of texts: HMAC-SHA256 (RFC 2104) as base64url. */
export function createSigner(secret: string) {
  const digest = (text: string) => createHmac('sha256', secret).update(text).digest();
  return {
    sign: (text: string): string => digest(text).toString('base64url'),

    verify(text: string, signature: string): boolean {
      const given = Buffer.from(signature, 'base64url');
      const expected = digest(text);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}
