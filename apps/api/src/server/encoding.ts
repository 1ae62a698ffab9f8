import Negotiator from 'negotiator';
import type { Encoding, SiteFile } from './site-files.ts';

/** In the server's order of preference: browsers accept all of them alike. */
const compressed = ['br', 'gzip'] as const;

/** The best encoding that the file has and the client accepts (RFC 9110 §12.5.3). */
export function chooseEncoding(
  acceptEncoding: string | undefined,
  { representations }: SiteFile,
): Encoding {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } });
  return (
    compressed.find((name) => representations[name] && negotiator.encoding([name])) ?? 'identity'
  );
}
