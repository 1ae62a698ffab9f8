/** What browsers do with a response: open it as a page, show it as an image, or read it. */
export type ResponseKind = 'page' | 'image' | 'data';

type Headers = Readonly<Record<string, string>>;

/**
 * The directives that all pages share. The hashes of scripts and styles are in a meta element of
 * each page, so that a file and its policy are replaced together. Browsers enforce both policies
 * (CSP Level 3 §8.1).
 */
const pagePolicy = "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'";

const policies: Readonly<Record<ResponseKind, string>> = {
  page: pagePolicy,
  // In case a browser opens an image as a page.
  image: "default-src 'none'; frame-ancestors 'none'; sandbox",
  data: "default-src 'none'; frame-ancestors 'none'",
};

/** Feed readers and other sites may show images. */
export const imageHeaders: Headers = {
  'Content-Security-Policy': policies.image,
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** The headers of every response (OWASP HTTP Headers Cheat Sheet). */
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

/** For a response that is a page instead of data. */
export const setPagePolicy = (c: { header(name: string, value: string): unknown }): void =>
  void c.header('Content-Security-Policy', pagePolicy);
