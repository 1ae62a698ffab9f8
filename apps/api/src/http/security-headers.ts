/**
 * What every page says to the browser besides its CSP (OWASP HTTP Headers Cheat
 * Sheet), as flat name–value pairs. HSTS only where the public comes by https.
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
  ...(isHttps ? ['Strict-Transport-Security', 'max-age=63072000; includeSubDomains'] : []),
];
