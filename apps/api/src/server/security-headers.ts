/**
 * Security headers of every page (OWASP HTTP Headers Cheat Sheet), as flat name–value pairs. HSTS
 * only if the public URL is https. Each page has its CSP in a meta element; the header adds the one
 * directive that is not allowed there (CSP Level 3 §3.3), and browsers apply both.
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
