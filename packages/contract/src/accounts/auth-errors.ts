import { accountMessages } from './messages.ts';

const { confirmation, google, limits, signIn } = accountMessages;

/** Values of the query parameter `error` of /auth, including those of OAuth (RFC 6749 §4.1.2.1). */
export const authErrors = {
  google_failed: google.failed,
  google_not_set_up: google.notSetUp,
  google_canceled: google.canceled,
  google_unverified: google.unverified,
  google_expired: google.expired,
  google_other_account: google.otherAccount,
  too_many_requests: limits.notice.description,
  email_not_confirmed: signIn.notConfirmedNotice,
  invalid_credentials: signIn.wrong,
  dead_link: confirmation.deadLink,
  access_denied: google.canceled,
  server_error: signIn.failed.description,
  temporarily_unavailable: signIn.failed.description,
} as const;

export type AuthErrorCode = keyof typeof authErrors;

/** In code points. */
const maxLength = 120;

/**
 * The message for a code. Any other text is returned sanitized, because anyone can create such a
 * link: it must not reorder, hide or cover the text around it (Unicode Technical Report #36, 2.1).
 */
export const authErrorText = (error: string): string => {
  if (Object.hasOwn(authErrors, error)) return authErrors[error as AuthErrorCode];
  const characters = [
    ...error
      .slice(0, 10 * maxLength)
      // Control, format, private-use and unassigned characters, lone surrogates, and spaces.
      .replace(/[\p{C}\p{Z}]+/gu, ' ')
      .replace(/(\p{M}{2})\p{M}+/gu, '$1')
      .trim(),
  ];
  return characters.length > maxLength
    ? `${characters.slice(0, maxLength - 1).join('')}…`
    : characters.join('');
};
