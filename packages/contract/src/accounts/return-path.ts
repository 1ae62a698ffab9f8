/**
 * Query parameter of /auth with the page to open after a sign-in. The default is /blog (spec §2).
 */
export const returnParameter = 'next';

/**
 * A path on this site, with query and fragment (OWASP, Unvalidated Redirects and Forwards). With a
 * second slash or a backslash at the start, it would point to another host. Excludes /auth and the
 * API.
 */
export const returnPath = /^\/(?!\/|(?:api|auth)(?![\w-]))[\w\-./~%?=&#]{0,200}$/;

/** Null if the query of /auth has no valid path. */
export const findReturnPath = (query: string): string | null => {
  const path = new URLSearchParams(query).get(returnParameter);
  return path !== null && returnPath.test(path) ? path : null;
};

/** Query parameter of /auth/again and /auth/forgot/again with the email that was typed in a rejected form. */
export const enteredParameter = 'entered';

export const signInPath = (page: string): string =>
  returnPath.test(page) ? `/auth?${new URLSearchParams({ [returnParameter]: page })}` : '/auth';
