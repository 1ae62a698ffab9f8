import * as v from 'valibot';
import { limits } from './limits.ts';
import { messages } from './messages.ts';

/** Letters, marks and digits of any script. Others would make the URL parser cut the domain. */
const internationalDomain = /^[\p{L}\p{M}\p{N}.-]+$/u;

/** As Chrome sends it: info@xn--mller-kva.example for ü. Firefox sends the ü. */
function withAsciiDomain(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const isAscii = /^[\0-\x7f]*$/.test(domain);
  if (isAscii || !internationalDomain.test(domain)) return address;
  const ascii = URL.parse(`https://${domain}`)?.hostname ?? domain;
  return address.slice(0, -domain.length) + ascii;
}

/**
 * The form in which addresses are stored and compared. Lowercases only ASCII: other letters, such
 * as the Kelvin sign, would become another address.
 */
export const normalizeEmail = (address: string): string =>
  withAsciiDomain(address.trim()).replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** An address as HTML defines it (4.10.5.1.5), normalized. */
export const emailAddress = v.pipe(
  v.string(),
  v.transform(normalizeEmail),
  v.maxLength(limits.email, messages.field.tooLong(limits.email)),
  v.rfcEmail(messages.field.emailInvalid),
);

export const isEmailAddress = (text: string): boolean => v.is(emailAddress, text);
