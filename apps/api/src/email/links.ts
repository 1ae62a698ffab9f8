/** A mailto: link (RFC 6068): characters that mean something in a URL are escaped. */
export const mailLink = (email: string): string =>
  `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`;

/** A tel: link (RFC 3966). Undefined for a text that is not a phone number. */
export const phoneLink = (phone: string): string | undefined =>
  /^\+?[\d\s()./-]{5,}$/.test(phone) ? `tel:${phone.replace(/[^+\d]/g, '')}` : undefined;
