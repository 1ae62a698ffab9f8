/**
 * For every page (OWASP HTTP Headers Cheat Sheet), as name–value pairs. Pages have their CSP in a
 * meta element; the header has the directive that is not allowed there (CSP Level 3 §3.3).
 */
export const pageSecurityHeaders = (isHttps: boolean): string[] => [
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  'strict-origin-when-cross-origin',
  'Cross-Origin-Opener-Policy',
  'same-origin',
  'Permissions-Policy',
  'camera=(), geolocation=(), microphone=()',
  'Content-Security-Policy',
  "frame-ancestors 'none'",
  ...(isHttps ? ['Strict-Transport-Security', 'max-age=63072000; includeSubDomains'] : []),
];
