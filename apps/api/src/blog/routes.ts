import {
  newPost,
  type PostSaved,
  type PublishingStatus,
  postChange,
} from '@app/contract/blog/posts';
import {
  type Post,
  type PostList,
  postList,
  postSaved,
  post as postSchema,
  publishingStatus,
} from '@app/contract/blog/replies';
import type { ProblemCode } from '@app/contract/problems';
import { Hono } from 'hono';
import { signedIn } from '../accounts/sessions/middleware.ts';
import { findUser } from '../accounts/sessions/session-cookie.ts';
import type { AppContext, AppEnv } from '../server/context.ts';
import { describeEndpoint, pathParameter, queryParameters } from '../server/describe-endpoint.ts';
import { input } from '../server/input.ts';
import type { Deps } from './deps.ts';
import { changeablePost, postId, writersOnly } from './middleware.ts';
import { createPosts } from './posts/posts.ts';
import { discardPrerendered } from './publishing/discard-prerendered.ts';
import { findPublishingStatus } from './publishing/publishing-status.ts';
import {
  answerRefusal,
  cursorParameter,
  invalidCursor,
  noSuchPost,
  notSignedIn,
} from './refusals.ts';
import { createPostWriter } from './writing/post-writer.ts';

export const examplePost = {
  title: 'Title',
  content: 'Text',
  slug: 'slug',
  excerpt: '',
  coverImage: '',
  published: true,
};

const refusals: ProblemCode[] = ['not_allowed', 'not_found'];
const writeRefusals: ProblemCode[] = [
  'not_allowed',
  'name_required',
  'other_account',
  'slug_taken',
  'quota_exceeded',
  'too_many_requests',
];

export function postRoutes(deps: Deps) {
  const posts = createPosts(deps);
  const postWriter = createPostWriter(deps);
  const requireUser = signedIn(deps, notSignedIn);

  const writer = writersOnly(deps);

  const requirePost = changeablePost(deps);

  return new Hono<AppEnv>()
    .get(
      '/',
      describeEndpoint({
        summary: 'List posts, newest first',
        parameters: queryParameters({
          ...cursorParameter,
          tag: 'The slug of a tag, to list only published posts with it.',
          drafts: '`true` to include the drafts of the signed-in user.',
        }),
        replies: { 200: { description: 'A page of the list.', schema: postList } },
        problems: ['invalid_cursor'],
        session: 'optional',
      }),
      async (c) => {
        const { cursor, tag, drafts } = c.req.query();
        const user = drafts === 'true' ? await findUser(c, deps) : null;
        const list =
          tag === undefined ? posts.list(cursor, user?.userId) : posts.listTagged(tag, cursor);
        if (list) return c.json(list satisfies PostList);
        return invalidCursor(c);
      },
    )
    .get(
      '/:post',
      describeEndpoint({
        summary: 'Get a post',
        parameters: [pathParameter('post', 'The slug of the post.')],
        replies: { 200: { description: 'The post.', schema: postSchema } },
        problems: ['not_found'],
        session: 'optional',
      }),
      async (c) => {
        const slug = c.req.param('post');
        const post =
          posts.findBySlug(slug, null) ?? posts.findBySlug(slug, await findUser(c, deps));
        return post ? c.json(post satisfies Post) : noSuchPost(c);
      },
    )
    .post(
      '/',
      describeEndpoint({
        summary: 'Create a post',
        replies: { 201: { description: 'Created.', schema: postSaved } },
        problems: writeRefusals,
      }),
      requireUser,
      writer,
      input(newPost, { example: examplePost }),
      async (c) => {
        const saved = await postWriter.create(c.var.user, c.req.valid('json'));
        return 'refused' in saved ? answerRefusal(c, saved) : answerSaved(c, saved, 201);
      },
    )
    .patch(
      '/:post',
      describeEndpoint({
        summary: 'Change a post',
        description: 'Absent fields stay unchanged.',
        parameters: postId,
        replies: { 200: { description: 'Changed.', schema: postSaved } },
        problems: [...refusals, ...writeRefusals, 'edit_conflict'],
      }),
      requireUser,
      writer,
      requirePost,
      input(postChange, { example: examplePost }),
      async (c) => {
        const { user, post } = c.var;
        const change = c.req.valid('json');
        const saved = await postWriter.update(user, post.id, change);
        return 'refused' in saved ? answerRefusal(c, saved) : answerSaved(c, saved, 200);
      },
    )
    .get(
      '/:post/publishing',
      describeEndpoint({
        summary: 'Get the publishing status of a post',
        description: 'After a save whose pages were pending: whether they are live now.',
        parameters: postId,
        replies: { 200: { description: 'The state right now.', schema: publishingStatus } },
        problems: refusals,
      }),
      requireUser,
      writer,
      requirePost,
      async (c) =>
        c.json((await findPublishingStatus(deps, c.var.post)) satisfies PublishingStatus),
    );
}

function answerSaved(c: AppContext, saved: PostSaved, status: 200 | 201): Response {
  discardPrerendered(c);
  return c.json(saved, status);
}
