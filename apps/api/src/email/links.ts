/** What a mail program writes to (RFC 6068): letters that mean something in an address of the web are escaped. */
export const mailLink = (email: string): string =>
  `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`;

/** A number as a link dials it (RFC 3966). Nothing for what somebody wrote instead of a number. */
export function phoneLink(phone: string): { href?: string } {
  if (!/^\+?[\d\s()./-]{5,}$/.test(phone)) return {};
  return { href: `tel:${phone.replace(/[^+\d]/g, '')}` };
}
