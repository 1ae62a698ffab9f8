import type { SlugChecked } from '@app/contract/blog/posts';
import { slugChecked } from '@app/contract/blog/replies';
import { Hono } from 'hono';
import { signedIn } from '../../accounts/sessions/middleware.ts';
import type { AppEnv } from '../../server/context.ts';
import {
  describeEndpoint,
  pathParameter,
  queryParameters,
} from '../../server/describe-endpoint.ts';
import type { Deps } from '../deps.ts';
import { limitPerMinute, writersOnly } from '../middleware.ts';
import { createPosts } from '../posts/posts.ts';
import { answerRefusal } from '../refusals.ts';
import { checkSlug } from './check-slug.ts';

/** More than one for every pause in typing. */
const maxPerMinute = 300;

export function slugRoutes(deps: Deps) {
  const posts = createPosts(deps);
  return new Hono<AppEnv>().get(
    '/:slug',
    describeEndpoint({
      summary: 'Check a slug',
      description: 'Tells whether a post could be saved with it now.',
      parameters: [
        pathParameter('slug', 'The slug to check.'),
        ...queryParameters({ post: 'The id of the post that would get it; absent for a new one.' }),
      ],
      replies: { 200: { description: 'The state of the slug.', schema: slugChecked } },
      problems: ['not_allowed', 'not_found'],
    }),
    signedIn(deps),
    writersOnly(deps),
    limitPerMinute(deps, maxPerMinute),
    (c) => {
      const id = c.req.query('post');
      const edited = id === undefined ? undefined : posts.findToChange(id, c.var.user);
      if (edited && 'refused' in edited) return answerRefusal(c, edited);
      const state = checkSlug(deps, c.req.param('slug'), edited);
      return c.json({ state } satisfies SlugChecked);
    },
  );
}
