import { hash, randomBytes, randomUUIDv7 } from 'node:crypto';

/**
 * A new row's id (UUID version 7, RFC 9562 §5.7). It begins with the time, so that rows which come
 * together lie together in an index: each in a page of its own, a commit of fifty would write a
 * hundred pages more. The rest is random, but an id is not a secret.
 */
export const newId = (): string => randomUUIDv7();

/** 256 random bits for links and cookies, safe in URLs (OWASP asks for at least 64). */
export const newToken = (): string => randomBytes(32).toString('base64url');

/**
 * SHA-256, hex, for storage. A fast hash is enough: the token is random and cannot be guessed.
 */
export const hashToken = (token: string): string => hash('sha256', token);
