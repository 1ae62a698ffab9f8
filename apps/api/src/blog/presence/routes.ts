import { postPresence } from '@app/contract/blog/presence';
import { type PostPresent, postPresent } from '@app/contract/blog/presence-replies';
import { Hono } from 'hono';
import { signedIn } from '../../accounts/sessions/middleware.ts';
import type { AppEnv } from '../../server/context.ts';
import { describeEndpoint } from '../../server/describe-endpoint.ts';
import { input } from '../../server/input.ts';
import type { Deps } from '../deps.ts';
import { limitPerMinute, writersOnly } from '../middleware.ts';
import { createPosts } from '../posts/posts.ts';
import { answerRefusal } from '../refusals.ts';

/** Enough for 30 tabs. */
const maxPerMinute = 120;

export function presenceRoutes(deps: Deps) {
  const { presence } = deps;
  const posts = createPosts(deps);
  return new Hono<AppEnv>().post(
    '/',
    describeEndpoint({
      summary: 'Report that a post is open',
      description: 'The editor sends this every 15 seconds. Others see it for 30 seconds.',
      replies: { 200: { description: 'Who else has it open.', schema: postPresent } },
      problems: ['not_allowed', 'not_found'],
    }),
    signedIn(deps),
    writersOnly(deps),
    limitPerMinute(deps, maxPerMinute),
    input(postPresence, { example: { post: 'id' } }),
    async (c) => {
      const { userId } = c.var.user;
      const { post: id, isLeaving } = c.req.valid('json');
      const post = posts.findToChange(id, c.var.user);
      if ('refused' in post) return answerRefusal(c, post);
      if (isLeaving) await presence.leave(post.id, userId);
      const others = isLeaving ? [] : await presence.stay(post.id, userId);
      return c.json({ others } satisfies PostPresent);
    },
  );
}
