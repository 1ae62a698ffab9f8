import type { PostDeleted, PostErased, PostRestored } from '@app/contract/blog/posts';
import { postDeleted, postErased, postRestored } from '@app/contract/blog/replies';
import type { ProblemCode } from '@app/contract/problems';
import { Hono } from 'hono';
import { signedIn } from '../../accounts/sessions/middleware.ts';
import type { AppEnv } from '../../server/context.ts';
import { describeEndpoint } from '../../server/describe-endpoint.ts';
import type { Deps } from '../deps.ts';
import { changeablePost, postId, writersOnly } from '../middleware.ts';
import { discardPrerendered } from '../publishing/discard-prerendered.ts';
import { answerRefusal } from '../refusals.ts';
import { createTrash } from './trash.ts';

const refusals: ProblemCode[] = ['not_allowed', 'not_found'];

export function trashRoutes(deps: Deps) {
  const trash = createTrash(deps);
  const requireUser = signedIn(deps);
  const writer = writersOnly(deps);
  const requirePost = changeablePost(deps);

  return new Hono<AppEnv>()
    .delete(
      '/',
      describeEndpoint({
        summary: 'Delete a post',
        description: 'It can be restored for 30 days.',
        parameters: postId,
        replies: { 200: { description: 'Deleted.', schema: postDeleted } },
        problems: refusals,
      }),
      requireUser,
      writer,
      requirePost,
      async (c) => {
        const removed = await trash.remove(c.var.user, c.var.post.id);
        if ('refused' in removed) return answerRefusal(c, removed);
        discardPrerendered(c);
        return c.json(removed satisfies PostDeleted);
      },
    )
    .post(
      '/restore',
      describeEndpoint({
        summary: 'Restore a deleted post',
        description: 'Published again if it was before.',
        parameters: postId,
        replies: { 200: { description: 'Restored.', schema: postRestored } },
        problems: [...refusals, 'name_required', 'quota_exceeded', 'too_many_requests'],
      }),
      requireUser,
      writer,
      async (c) => {
        const restored = await trash.restore(c.var.user, c.req.param('post') ?? '');
        if ('refused' in restored) return answerRefusal(c, restored);
        discardPrerendered(c);
        return c.json(restored satisfies PostRestored);
      },
    )
    .post(
      '/delete-forever',
      describeEndpoint({
        summary: 'Delete a post forever',
        description: 'For posts in the trash. They cannot be restored afterwards.',
        parameters: postId,
        replies: { 200: { description: 'Deleted.', schema: postErased } },
        problems: refusals,
      }),
      requireUser,
      writer,
      async (c) => {
        const erased = await trash.erase(c.var.user, c.req.param('post') ?? '');
        return 'refused' in erased ? answerRefusal(c, erased) : c.json(erased satisfies PostErased);
      },
    );
}
