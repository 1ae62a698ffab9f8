import { hash } from 'node:crypto';

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

export const isPostId = (text: string): boolean => uuid.test(text);

/**
 * The id of a post from another system: a UUID of version 8 (RFC 9562 §5.8) derived from its key,
 * so that a second import recognizes the post.
 * @param key identifies the post in all sources, such as `ghost:ID`
 */
export function idOfKey(key: string): string {
  const hex = hash('sha256', `imported post ${key}`);
  const version = `8${hex.slice(13, 16)}`;
  const variant = `${'89ab'[Number.parseInt(hex.charAt(16), 16) % 4]}${hex.slice(17, 20)}`;
  return [hex.slice(0, 8), hex.slice(8, 12), version, variant, hex.slice(20, 32)].join('-');
}
