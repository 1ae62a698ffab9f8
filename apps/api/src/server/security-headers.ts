/** What browsers do with a response: open it as a page, show it as an image, or read it. */
export type ResponseKind = 'page' | 'image' | 'data';

type Headers = Readonly<Record<string, string>>;

/**
 * Of pages: the directives that are the same for all of them. The hashes of its scripts and styles
 * are in a meta element of each page, so that a file and its policy are replaced together; browsers
 * enforce both (CSP Level 3 §8.1).
 */
const pagePolicy = "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'";

const policies: Readonly<Record<ResponseKind, string>> = {
  page: pagePolicy,
  // In case a browser treats one as a page.
  image: "default-src 'none'; frame-ancestors 'none'; sandbox",
  data: "default-src 'none'; frame-ancestors 'none'",
};

/** Feed readers and other sites show images. */
export const imageHeaders: Headers = {
  'Content-Security-Policy': policies.image,
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** Of every response (OWASP HTTP Headers Cheat Sheet). */
export const securityHeaders = (kind: ResponseKind, isHttps: boolean): Headers => ({
  'Content-Security-Policy': policies[kind],
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  ...(kind === 'image' && imageHeaders),
  ...(isHttps && { 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains' }),
});

/** A page in place of data. */
export const setPagePolicy = (c: { header(name: string, value: string): unknown }): void =>
  void c.header('Content-Security-Policy', pagePolicy);
