import { createHash, randomBytes, randomUUID } from 'node:crypto';

/** A new row's id. Says nothing and cannot be guessed, but opens nothing either. */
export const newId = (): string => randomUUID();

/** 256 random bits for links and cookies, safe in URLs (OWASP asks for at least 64). */
export const newToken = (): string => randomBytes(32).toString('base64url');

/**
 * What is stored of a token: SHA-256, hex. A fast hash is right here: the token
 * is random, so there is nothing to guess.
 */
export const hashToken = (token: string): string =>
  createHash('sha256').update(token).digest('hex');
