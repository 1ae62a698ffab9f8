import { Hono } from 'hono';
import type { Deps } from '../deps.ts';
import type { AppContext, AppEnv } from '../http/context.ts';
import { notFoundPage, personalPage } from '../http/page.ts';
import { findUser } from '../http/session.ts';
import { mayRead, mayWrite } from './permissions.ts';
import { createPosts } from './posts.ts';

/** The pages below /blog that are no files: drafts, for those who may see them, and the editor of a post. */
export function blogPageRoutes(deps: Deps) {
  const posts = createPosts(deps);

  async function findVisible(c: AppContext) {
    const user = await findUser(c, deps);
    const post = user && (await posts.findBySlug(c.req.param('slug') ?? ''));
    return post && mayRead(post, user) ? { user, post } : null;
  }

  return new Hono<AppEnv>()
    .get('/:slug', async (c) => {
      const found = await findVisible(c);
      if (!found) return notFoundPage(c, deps);
      return personalPage(c, deps, { kind: 'post', post: found.post });
    })
    .get('/editor/:slug', async (c) => {
      const found = await findVisible(c);
      // To visitors the editor is not there; the spec leads them to the blog.
      if (!found || !mayWrite(deps.settings, found.user)) return c.redirect('/blog', 303);
      return personalPage(c, deps, { kind: 'edit', post: found.post });
    });
}
