/** mailto: (RFC 6068). */
export const emailLink = (email: string): string =>
  `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`;

/** tel: (RFC 3966). Undefined if it is not a phone number. */
export const phoneLink = (phone: string): string | undefined =>
  /^\+?[\d\s()./-]{5,}$/.test(phone) ? `tel:${phone.replace(/[^+\d]/g, '')}` : undefined;
