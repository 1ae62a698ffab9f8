import { accountMessages } from '@app/contract/accounts/messages';
import { limits } from '@app/contract/limits';
import type { InputIssue } from '@app/contract/problems';

/** Guesses try capitals and full-width letters too (Unicode Standard Annex #15, NFKC). */
const normalize = (password: string): string => password.normalize('NFKC').toLowerCase();

let passwords: Promise<ReadonlySet<string>> | null = null;

/** The 42,000 most common passwords of valid length. 4 MB, so loaded on first use. */
const commonPasswords = (): Promise<ReadonlySet<string>> => {
  passwords ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => {
    const long = dictionary['passwords-common'].filter(
      ({ length }) => length >= limits.passwordMin,
    );
    return new Set(long.map(normalize));
  });
  return passwords;
};

/** For passwords known from breaches (NIST SP 800-63B §3.1.1.2, "blocklist"). */
export async function findCommonPasswordIssue(password: string): Promise<InputIssue | null> {
  const isCommon = (await commonPasswords()).has(normalize(password));
  return isCommon ? { path: 'password', message: accountMessages.password.common } : null;
}
