/**
 * When what security.txt says is to be looked at again (RFC 9116 §2.5.5: less than a year
 * ahead): the start of a month, so that two builds of the same sources are the same build
 * for as long as the month lasts.
 * @returns ISO 8601 in UTC, to the second
 */
export const expiryOf = (now: Date): string => {
  const expiry = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 11));
  return expiry.toISOString().replace('.000', '');
};
