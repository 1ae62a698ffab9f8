/** From the Referer header (RFC 9110 §10.1.3); the home page if that is missing or another site. */
export function previousPage(referer: string | undefined, publicUrl: string): string {
  const url = URL.parse(referer ?? '');
  if (url?.origin !== publicUrl) return '/';
  // A path that starts with two slashes would name another host.
  return url.pathname.startsWith('//') ? '/' : url.pathname + url.search;
}
