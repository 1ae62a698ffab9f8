import Negotiator from 'negotiator';

export type Encoding = 'identity' | 'br' | 'gzip';

/** In order of preference. */
const codings = ['br', 'gzip'] as const;

/** Follows Accept-Encoding (RFC 9110 §12.5.3). */
export function chooseEncoding(
  acceptEncoding: string | undefined,
  { isCompressible }: { isCompressible: boolean },
): Encoding {
  if (!isCompressible) return 'identity';
  const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } });
  return codings.find((name) => negotiator.encoding([name])) ?? 'identity';
}
