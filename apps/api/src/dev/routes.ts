import type { PageData } from '@app/contract/pages';
import { Hono } from 'hono';
import { mayRead } from '../blog/permissions.ts';
import { createPosts } from '../blog/posts.ts';
import type { Deps } from '../deps.ts';
import type { AppContext, AppEnv } from '../http/context.ts';
import { problem } from '../http/problem.ts';
import { findUser } from '../http/session.ts';

/**
 * /api/dev, with DEV_PAGES=on only: what a page is rendered from, for Astro's dev
 * server, which draws the pages itself and reloads them as their code changes.
 */
export function devRoutes(deps: Deps) {
  const posts = createPosts(deps);

  async function findPage(c: AppContext, url: URL): Promise<PageData | undefined> {
    if (url.pathname === '/auth/confirm') {
      return { kind: 'confirm', token: url.searchParams.get('token') ?? '' };
    }
    const page = await deps.publisher.pages.at(url.pathname);
    if (page) return page.data;
    const [, editor, slug] = /^\/blog\/(editor\/)?([^/]+)$/.exec(url.pathname) ?? [];
    const user = await findUser(c, deps);
    const post = slug === undefined ? undefined : await posts.findBySlug(slug);
    if (!post || !mayRead(post, user)) return undefined;
    return editor ? { kind: 'edit', post } : { kind: 'post', post };
  }

  return new Hono<AppEnv>().get('/page', async (c) => {
    const url = URL.parse(c.req.query('path') ?? '', deps.settings.publicUrl);
    const page = url && (await findPage(c, url));
    return page ? c.json(page) : problem(c, 'not_found', 'No page is rendered at this path.');
  });
}
