import type { PageData } from '@app/contract/pages';
import type { AppContext } from './context.ts';
import type { Deps } from './deps.ts';
import { timed } from './request-time.ts';
import { setPagePolicy } from './security-headers.ts';
import { answerWith } from './shared-body.ts';
import { notFoundPath } from './site-rules.ts';

export const htmlType = 'text/html; charset=UTF-8';

/**
 * Renders a page that is not cached.
 * @param path percent-encoded
 */
export async function personalPage(
  c: AppContext,
  parts: Pick<Deps, 'renderer'>,
  page: PageData,
  path?: string,
): Promise<Response> {
  const bytes = await renderPage(c, parts, page, path);
  setPageHeaders(c);
  c.header('Cache-Control', 'private, no-store');
  c.header('Content-Type', htmlType);
  return c.body(new Uint8Array(bytes));
}

/**
 * @param path percent-encoded. Hono's is decoded, and may contain control characters or a lone
 *   percent sign
 */
export async function renderPage(
  c: AppContext,
  { renderer }: Pick<Deps, 'renderer'>,
  page: PageData,
  path = c.req.path.split('/').map(encodeURIComponent).join('/'),
): Promise<Buffer> {
  return (await timed('rendering', () => renderer.render(path, page))).bytes;
}

export function setPageHeaders(c: AppContext): void {
  setPagePolicy(c);
  // Not to other sites. With no-referrer, browsers send `Origin: null`, which the origin check
  // rejects.
  c.header('Referrer-Policy', 'same-origin');
}

export async function notFoundPage(
  c: AppContext,
  { siteFiles }: Pick<Deps, 'siteFiles'>,
): Promise<Response> {
  const file = await siteFiles.load(notFoundPath);
  c.set('isMissingPage', true);
  c.status(404);
  setPagePolicy(c);
  return file ? answerWith(c, file) : c.html('There is no such page.');
}
