/**
 * The expiry of security.txt, less than a year ahead (RFC 9116 §2.5.5). It is the start of a month,
 * so that all builds of the same sources within a month are identical.
 * @returns ISO 8601 in UTC, to the second
 */
export const expiryOf = (now: Date): string => {
  const expiry = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 11));
  return expiry.toISOString().replace('.000', '');
};
