import { createHash } from 'node:crypto';

type Source = `sha256-${string}`;

/**
 * A content security policy (CSP Level 3) names each inline script and style by its
 * hash. Astro's own lists those of the whole site on every page: bytes that cannot be
 * compressed, on the way to the first paint.
 *
 * @param html a finished page
 * @param directives all but script-src and style-src
 * @param isTrusted says of a hash whether the build made what it stands for. What else
 * stands in a page, by whatever way it came there, does not run.
 */
export const policyFor = (
  html: string,
  directives: readonly string[],
  isTrusted: (source: Source) => boolean,
): string => {
  const sources = (element: RegExp) => {
    const inline = [...html.matchAll(element)].flatMap(([, text]) => (text ? hashOf(text) : []));
    return [...new Set(inline)]
      .filter(isTrusted)
      .map((source) => ` '${source}'`)
      .join('');
  };
  return [
    ...directives,
    `script-src 'self'${sources(scriptElement)}`,
    `style-src 'self'${sources(styleElement)}`,
  ].join('; ');
};

/** Not those with an address or with a type that is no script, such as JSON-LD. */
const scriptElement =
  /<script(?![^>]* (?:src|type="application\/ld\+json"))[^>]*>([\s\S]*?)<\/script>/g;
const styleElement = /<style[^>]*>([\s\S]*?)<\/style>/g;

/** The same few texts on every page: each is hashed once. */
const hashes = new Map<string, Source>();
const mostKept = 500;

const hashOf = (text: string): Source => {
  const known = hashes.get(text);
  if (known) return known;
  const source: Source = `sha256-${createHash('sha256').update(text).digest('base64')}`;
  if (hashes.size < mostKept) hashes.set(text, source);
  return source;
};
