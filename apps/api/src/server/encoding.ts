import type { Encoding, SiteFile } from '../publishing/site-files.ts';

/** Brotli before gzip, whatever the client's weights: it only has to take it (RFC 9110 §12.5.3). */
export function chooseEncoding(
  accepted: string | undefined,
  { representations }: SiteFile,
): Encoding {
  if (accepted === undefined) return 'identity';
  if (representations.br && accepts(accepted, 'br')) return 'br';
  if (representations.gzip && accepts(accepted, 'gzip')) return 'gzip';
  return 'identity';
}

function accepts(header: string, encoding: string): boolean {
  if (!header.includes(encoding)) return false;
  return header.split(',').some((item) => {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}
