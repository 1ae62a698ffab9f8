/**
 * The expiry of security.txt, less than a year ahead (RFC 9116 §2.5.5). The start of a month, so
 * that builds of the same sources are identical within a month.
 * @returns ISO 8601 in UTC, to the second
 */
export const expiryOf = (now: Date): string => {
  const expiry = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 11));
  return expiry.toISOString().replace('.000', '');
};
