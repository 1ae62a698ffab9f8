import type { PageData } from '@app/contract/pages';
import type { AppContext } from './context.ts';
import type { Deps } from './deps.ts';
import { htmlType, renderPage, setPageHeaders } from './rendered-page.ts';
import { sharedBody } from './shared-body.ts';

/** Returns a key for pages that depend on nothing else; undefined for other pages. */
export type SharedPageKey = (page: PageData) => string | undefined;

/**
 * Renders and compresses pages that are the same for every path and user only once per key.
 * @returns null for other pages
 */
export function createSharedPages(parts: Pick<Deps, 'renderer'>, keyOf: SharedPageKey) {
  const pages = new Map<string, ReturnType<typeof sharedBody>>();
  return (c: AppContext, page: PageData): Promise<Response> | null => {
    const key = keyOf(page);
    if (key === undefined) return null;
    const answer =
      pages.get(key) ?? sharedBody(htmlType, (first) => renderPage(first, parts, page));
    pages.set(key, answer);
    setPageHeaders(c);
    return answer(c);
  };
}
