import { accountMessages } from './messages.ts';

const { confirmation, google, limits, signIn } = accountMessages;

/**
 * What `error` in the query of /auth may say, by its code: ours, and those that an OAuth provider
 * answers with (RFC 6749 §4.1.2.1).
 */
export const authErrors = {
  google_failed: google.failed,
  google_not_set_up: google.notSetUp,
  google_cancelled: google.cancelled,
  google_unverified: google.unverified,
  google_expired: google.expired,
  google_other_account: google.otherAccount,
  too_many_requests: limits.notice.description,
  email_not_confirmed: signIn.notConfirmedNotice,
  invalid_credentials: signIn.wrong,
  dead_link: confirmation.deadLink,
  access_denied: google.cancelled,
  server_error: signIn.failed.description,
  temporarily_unavailable: signIn.failed.description,
} as const;

export type AuthErrorCode = keyof typeof authErrors;

/** In characters (code points). */
const maxLength = 120;

/**
 * The words for `error` in the query of /auth: ours for a code, else the text itself. Anybody can
 * write such a link, so nothing of it can reorder, hide or pile up what stands around it (Unicode
 * Technical Report #36, 2.1), and it is cut after 120 characters.
 */
export const authErrorText = (error: string): string => {
  if (Object.hasOwn(authErrors, error)) return authErrors[error as AuthErrorCode];
  const characters = [
    ...error
      .slice(0, 10 * maxLength)
      // Control, format, private and unassigned characters, lone surrogates, and all kinds of space.
      .replace(/[\p{C}\p{Z}]+/gu, ' ')
      .replace(/(\p{M}{2})\p{M}+/gu, '$1')
      .trim(),
  ];
  return characters.length > maxLength
    ? `${characters.slice(0, maxLength - 1).join('')}…`
    : characters.join('');
};
