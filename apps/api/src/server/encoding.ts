import Negotiator from 'negotiator';
import type { Encoding, SiteFile } from './site-files.ts';

/** In order of preference. */
const compressed = ['br', 'gzip'] as const;

/** Follows Accept-Encoding (RFC 9110 §12.5.3). */
export function chooseEncoding(
  acceptEncoding: string | undefined,
  { representations }: Pick<SiteFile, 'representations'>,
): Encoding {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } });
  return (
    compressed.find((name) => representations[name] && negotiator.encoding([name])) ?? 'identity'
  );
}
