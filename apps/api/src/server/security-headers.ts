/**
 * What every page is sent with (OWASP HTTP Headers Cheat Sheet), as flat name–value
 * pairs. HSTS only where the public comes by https. Each page carries its policy in a
 * meta element; the header adds the one directive that such an element cannot say (CSP
 * Level 3 §3.3), and a browser holds a page to both.
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
