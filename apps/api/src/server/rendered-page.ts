import type { PageData } from '@app/contract/pages';
import type { AppContext } from './context.ts';
import type { Deps } from './deps.ts';
import { chooseEncoding } from './encoding.ts';
import { timed } from './request-time.ts';
import { setPagePolicy } from './security-headers.ts';
import type { SiteFile } from './site-files.ts';
import { notFoundPath } from './site-rules.ts';

/**
 * Renders a page that is not cached and sends no referrer to other sites.
 * @param path percent-encoded. Hono's is decoded, and may contain control characters or a lone
 *   percent sign
 */
export async function personalPage(
  c: AppContext,
  { renderer }: Pick<Deps, 'renderer'>,
  page: PageData,
  path = c.req.path.split('/').map(encodeURIComponent).join('/'),
): Promise<Response> {
  const { bytes } = await timed('rendering', () => renderer.render(path, page));
  setPagePolicy(c);
  // With no-referrer, browsers send `Origin: null`, which the origin check rejects.
  c.header('Referrer-Policy', 'same-origin');
  c.header('Cache-Control', 'private, no-store');
  c.header('Content-Type', 'text/html; charset=UTF-8');
  return c.body(new Uint8Array(bytes));
}

export async function notFoundPage(
  c: AppContext,
  { siteFiles }: Pick<Deps, 'siteFiles'>,
): Promise<Response> {
  const file: SiteFile | null = await siteFiles.load(notFoundPath);
  c.set('isMissingPage', true);
  setPagePolicy(c);
  if (!file) return c.html('There is no such page.', 404);
  const encoding = chooseEncoding(c.req.header('Accept-Encoding'), file);
  const { body } = file.representations[encoding] ?? file.representations.identity;
  c.header('Vary', 'Accept-Encoding');
  if (encoding !== 'identity') c.header('Content-Encoding', encoding);
  return c.body(new Uint8Array(body), 404, { 'Content-Type': file.contentType });
}
