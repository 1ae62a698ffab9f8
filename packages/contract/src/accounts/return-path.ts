/** The query parameter of /auth that names the page a sign-in leads to; without it that is /blog (spec §2). */
export const returnParameter = 'next';

/**
 * A path of this site, with its query and fragment, that a sign-in may lead to (OWASP, Unvalidated
 * Redirects and Forwards). Only characters that mean the same to every parser: a second slash or a
 * backslash at its start would name another host. Neither /auth itself nor the API is a page to go to.
 */
export const returnPath = /^\/(?!\/|(?:api|auth)(?![\w-]))[\w\-./~%?=&#]{0,200}$/;

/** Where a sign-in leads, going by the query of /auth; null where it names no page of this site. */
export const findReturnPath = (query: string): string | null => {
  const path = new URLSearchParams(query).get(returnParameter);
  return path !== null && returnPath.test(path) ? path : null;
};

/** The URL of the sign-in page that leads back to a page of this site. */
export const signInPath = (page: string): string =>
  returnPath.test(page) ? `/auth?${new URLSearchParams({ [returnParameter]: page })}` : '/auth';
