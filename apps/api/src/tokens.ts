import { hash, randomBytes, randomUUIDv7 } from 'node:crypto';

/**
 * UUID version 7 (RFC 9562 §5.7). Starts with the time, so that rows created together are adjacent
 * in indexes: otherwise a commit of fifty rows would write a hundred more pages. Not a secret.
 */
export const newId = (): string => randomUUIDv7();

/** 256 random bits, safe in URLs (OWASP requires 64). */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** SHA-256 (hex). A fast hash is enough for a random token. */
export const hashToken = (token: string): string => hash('sha256', token);
