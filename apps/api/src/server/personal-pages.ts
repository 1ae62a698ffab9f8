import type { PageData } from '@app/contract/pages';
import { Hono } from 'hono';
import type { Log } from '../log.ts';
import type { AppContext, AppEnv } from './context.ts';

/** The page's data, or another response such as a redirect. */
export type FindPage = (c: AppContext) => Promise<PageData | Response> | PageData | Response;

export interface PersonalPage {
  find: FindPage;
  /** Shown with status 500 when `find` or rendering fails. */
  failure?: PageData;
  /** Whether it is the same for everyone if the URL has no query. */
  isPublic?: boolean;
}

export type PersonalPages = Readonly<Record<string, PersonalPage>>;

/** @param show renders a page with the context's status */
export function personalPageRoutes(
  pages: PersonalPages,
  log: Log,
  show: (c: AppContext, page: PageData) => Response | Promise<Response>,
) {
  const routes = new Hono<AppEnv>();
  for (const [path, { find, failure }] of Object.entries(pages)) {
    routes.get(path, async (c) => {
      try {
        const page = await find(c);
        return page instanceof Response ? page : await show(c, page);
      } catch (error) {
        if (!failure) throw error;
        log.error({ err: error, requestId: c.get('requestId') }, 'page failed');
        c.status(500);
        return show(c, failure);
      }
    });
  }
  return routes;
}
