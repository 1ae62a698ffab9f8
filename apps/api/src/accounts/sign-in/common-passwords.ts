import { accountMessages } from '@app/contract/accounts/messages';
import { limits } from '@app/contract/limits';
import type { InputIssue } from '@app/contract/problems';

/**
 * One spelling for all that a person could mean: whoever guesses tries the capitals, too, and
 * wide letters are the same key on another keyboard (Unicode Standard Annex #15, NFKC).
 */
const spelling = (password: string): string => password.normalize('NFKC').toLowerCase();

let loaded: Promise<ReadonlySet<string>> | null = null;

/** The 42,000 most used passwords that are long enough to be taken; 4 MB, so not before the first is asked for. */
const commonPasswords = (): Promise<ReadonlySet<string>> => {
  loaded ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => {
    const long = dictionary['passwords-common'].filter(
      ({ length }) => length >= limits.passwordMin,
    );
    return new Set(long.map(spelling));
  });
  return loaded;
};

/**
 * What is wrong with a new password that is among the most used ones, as breaches show them
 * (NIST SP 800-63B §3.1.1.2, "blocklist"); null for any other.
 */
export async function findCommonPasswordIssue(password: string): Promise<InputIssue | null> {
  const isCommon = (await commonPasswords()).has(spelling(password));
  return isCommon ? { path: 'password', message: accountMessages.password.common } : null;
}
