/** Query parameter of /auth: where a sign-in leads, by default /blog (spec §2). */
export const returnParameter = 'next';

/**
 * A path on this site, with query and fragment (OWASP, Unvalidated Redirects and Forwards). A
 * second slash or a backslash at the start would name another host. Excludes /auth and the API.
 */
export const returnPath = /^\/(?!\/|(?:api|auth)(?![\w-]))[\w\-./~%?=&#]{0,200}$/;

/** Null without a valid path in the query of /auth. */
export const findReturnPath = (query: string): string | null => {
  const path = new URLSearchParams(query).get(returnParameter);
  return path !== null && returnPath.test(path) ? path : null;
};

export const signInPath = (page: string): string =>
  returnPath.test(page) ? `/auth?${new URLSearchParams({ [returnParameter]: page })}` : '/auth';
