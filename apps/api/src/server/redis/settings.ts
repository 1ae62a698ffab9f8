import { isDecodable } from '../../is-decodable.ts';

export interface RedisSettings {
  /** May contain a password. */
  url: string;
  /** The host of the site, so that several sites can share a server. */
  keyPrefix: string;
}

/** redis://user:password@host:port/database, as registered with IANA; rediss:// for TLS. */
export function isRedisUrl(value: string): boolean {
  const url = URL.parse(value);
  if (url === null || !['redis:', 'rediss:'].includes(url.protocol) || !url.hostname) return false;
  if (!isDecodable(url.username) || !isDecodable(url.password)) return false;
  return /^\/?\d{0,6}$/.test(url.pathname) && !url.search && !url.hash;
}
