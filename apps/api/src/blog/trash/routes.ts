import type { PostDeleted, PostErased, PostRestored } from '@app/contract/blog/posts';
import { postDeleted, postErased, postRestored } from '@app/contract/blog/replies';
import type { ProblemCode } from '@app/contract/problems';
import { Hono } from 'hono';
import { createFactory } from 'hono/factory';
import { signedIn } from '../../accounts/sessions/middleware.ts';
import type { AppEnv } from '../../server/context.ts';
import { describeEndpoint } from '../../server/describe-endpoint.ts';
import { formPost, isFormPost } from '../../server/input.ts';
import type { Deps } from '../deps.ts';
import { changeablePost, editorOfPost, postId, writersOnly } from '../middleware.ts';
import { discardPrerendered } from '../publishing/discard-prerendered.ts';
import { answerRefusal } from '../refusals.ts';
import { createTrash } from './trash.ts';

const refusals: ProblemCode[] = ['not_allowed', 'not_found'];

export function trashRoutes(deps: Deps) {
  const trash = createTrash(deps);
  const { createHandlers } = createFactory<AppEnv>();
  const requireUser = signedIn(deps);
  const writer = writersOnly(deps);
  const requirePost = changeablePost(deps);

  const remove = createHandlers(
    describeEndpoint({
      summary: 'Delete a post',
      description: 'It can be restored for 30 days.',
      parameters: postId,
      replies: { 200: { description: 'Deleted.', schema: postDeleted } },
      problems: refusals,
    }),
    formPost('/blog'),
    requireUser,
    writer,
    requirePost,
    formPost(editorOfPost),
    async (c) => {
      const removed = await trash.remove(c.var.user, c.var.post.id);
      if ('refused' in removed) return answerRefusal(c, removed);
      discardPrerendered(c);
      return isFormPost(c) ? c.redirect('/blog', 303) : c.json(removed satisfies PostDeleted);
    },
  );

  return (
    new Hono<AppEnv>()
      .delete('/', ...remove)
      // For forms without JavaScript.
      .post('/delete', ...remove)
      .post(
        '/restore',
        describeEndpoint({
          summary: 'Restore a deleted post',
          description: 'Published again if it was before.',
          parameters: postId,
          replies: { 200: { description: 'Restored.', schema: postRestored } },
          problems: [...refusals, 'name_required', 'quota_exceeded', 'too_many_requests'],
        }),
        formPost('/blog/trash'),
        requireUser,
        writer,
        async (c) => {
          const restored = await trash.restore(c.var.user, c.req.param('post') ?? '');
          if ('refused' in restored) return answerRefusal(c, restored);
          discardPrerendered(c);
          if (!isFormPost(c)) return c.json(restored satisfies PostRestored);
          return c.redirect(`/blog/trash?restored=${restored.post.id}`, 303);
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
        formPost('/blog/trash'),
        requireUser,
        writer,
        async (c) => {
          const erased = await trash.erase(c.var.user, c.req.param('post') ?? '');
          if ('refused' in erased) return answerRefusal(c, erased);
          return isFormPost(c)
            ? c.redirect('/blog/trash#erased', 303)
            : c.json(erased satisfies PostErased);
        },
      )
  );
}
