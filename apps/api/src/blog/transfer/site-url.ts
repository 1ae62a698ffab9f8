/** Without a slash at its end. Null if the text is not a URL of the web. */
export function siteUrlOf(text: string): string | null {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  return `${url.origin}${url.pathname}`.replace(/\/$/, '');
}

/**
 * The URL of a picture on a site: `//host/a.png` and, if the site's URL is known, `/a.png` become
 * absolute.
 */
export function pictureUrl(url: string, siteUrl: string | null): string {
  if (url.startsWith('//')) return `https:${url}`;
  return siteUrl !== null && url.startsWith('/') ? `${new URL(siteUrl).origin}${url}` : url;
}
