import type { Post } from '@app/contract/blog/posts';
import { readCurrent } from '@app/db/write-transaction';
import { createMiddleware } from 'hono/factory';
import type { SignedInEnv } from '../accounts/sessions/middleware.ts';
import { mayWrite } from '../accounts/sessions/permissions.ts';
import { describeMiddleware, pathParameter } from '../server/describe-endpoint.ts';
import { createMinuteLimit } from '../server/minute-limit.ts';
import { tooManyRequests } from '../server/rate-limits/middleware.ts';
import type { Deps } from './deps.ts';
import { createPosts } from './posts/posts.ts';
import { answerRefusal } from './refusals.ts';

/** Rejects early; permissions are checked again when a post is written. */
export const writersOnly = ({ settings }: Pick<Deps, 'settings'>) =>
  createMiddleware<SignedInEnv>(async (c, next) =>
    mayWrite(settings, c.var.user) ? next() : answerRefusal(c, { refused: 'not_allowed' }),
  );

export interface PostEnv extends SignedInEnv {
  Variables: SignedInEnv['Variables'] & { post: Post };
}

/** Requires a post that the user can change, even if another server has just created it. */
export function changeablePost(deps: Deps) {
  const posts = createPosts(deps);
  return createMiddleware<PostEnv>(async (c, next) => {
    const id = c.req.param('post') ?? '';
    const post = await readCurrent(
      deps.db,
      () => posts.findToChange(id, c.var.user),
      (found) => !('refused' in found && found.refused === 'not_found'),
    );
    if ('refused' in post) return answerRefusal(c, post);
    c.set('post', post);
    return next();
  });
}

export const postId = [pathParameter('post', 'The id of the post.')];

/** Limits requests per account in the minute after the first one. Needs `signedIn` before it. */
export function limitPerMinute(deps: Pick<Deps, 'clock'>, max: number) {
  const requests = createMinuteLimit(deps, max);
  return describeMiddleware(
    createMiddleware<SignedInEnv>(async (c, next) => {
      const seconds = requests.take(c.var.user.userId, 1);
      return seconds === 0 ? next() : tooManyRequests(c, seconds);
    }),
    { problems: ['too_many_requests'] },
  );
}
