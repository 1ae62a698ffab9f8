import type { PageAccount, PageData } from '@app/contract/pages';
import type { AppContext } from './context.ts';
import type { Deps } from './deps.ts';
import { timed } from './request-time.ts';
import { setPagePolicy } from './security-headers.ts';
import { answerWith } from './shared-body.ts';
import { notFoundPath } from './site-rules.ts';

export const htmlType = 'text/html; charset=UTF-8';

interface RenderOptions {
  /** Percent-encoded. The default is the request's. */
  path?: string | undefined;
  account?: PageAccount | undefined;
}

/** Renders a page that is not cached. */
export async function personalPage(
  c: AppContext,
  parts: Pick<Deps, 'renderer'>,
  page: PageData,
  { path, account }: RenderOptions = {},
): Promise<Response> {
  const bytes = await renderPage(c, parts, page, { path, account });
  setPageHeaders(c);
  c.header('Cache-Control', 'private, no-store');
  c.header('Content-Type', htmlType);
  return c.body(new Uint8Array(bytes));
}

export async function renderPage(
  c: AppContext,
  { renderer }: Pick<Deps, 'renderer'>,
  page: PageData,
  { path = encodedPathOf(c), account }: RenderOptions = {},
): Promise<Buffer> {
  return (await timed('rendering', () => renderer.render(path, page, account))).bytes;
}

/** Hono's path is decoded, and may contain control characters or a lone percent sign. */
const encodedPathOf = (c: AppContext): string =>
  c.req.path.split('/').map(encodeURIComponent).join('/');

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
