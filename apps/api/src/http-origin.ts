/** Whether it is an http or https URL without a user, path, query and fragment. */
export function isHttpOrigin(text: string): boolean {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  return url.pathname === '/' && !url.search && !url.hash && !url.username;
}
