/**
 * The page that a form was sent from, as a path with its query, going by the Referer
 * header (RFC 9110 §10.1.3); the home page if that is missing or from another site.
 * @param publicUrl the site's origin. The result never leads to another origin.
 */
export function previousPage(referer: string | undefined, publicUrl: string): string {
  const url = URL.parse(referer ?? '');
  if (url?.origin !== publicUrl) return '/';
  // A path that begins with two slashes would be read as another host's address.
  return url.pathname.startsWith('//') ? '/' : url.pathname + url.search;
}
