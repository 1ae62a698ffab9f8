import {
  newPost,
  type Post,
  type PostDeleted,
  type PostSaved,
  postChange,
} from '@app/contract/blog/posts';
import { postDeleted, postList, postSaved, post as postSchema } from '@app/contract/blog/replies';
import { messages } from '@app/contract/messages';
import type { PageData } from '@app/contract/pages';
import type { ProblemCode } from '@app/contract/problems';
import { Hono } from 'hono';
import { createFactory, createMiddleware } from 'hono/factory';
import { type SignedInEnv, signedIn } from '../accounts/sessions/middleware.ts';
import { mayWrite } from '../accounts/sessions/permissions.ts';
import { findUser, notSignedIn } from '../accounts/sessions/session-cookie.ts';
import type { SignedIn } from '../accounts/sessions/sessions.ts';
import type { AppContext, AppEnv } from '../server/context.ts';
import { describeEndpoint, queryParameters } from '../server/describe-endpoint.ts';
import { formPost, input, invalidInput, isFormPost } from '../server/input.ts';
import type { PersonalPages } from '../server/personal-pages.ts';
import { problem } from '../server/problem.ts';
import { tooManyRequests } from '../server/rate-limits.ts';
import { postBody } from './bodies.ts';
import type { Deps } from './deps.ts';
import { findByOldSlug } from './old-slugs.ts';
import { mayRead } from './permissions.ts';
import { createPosts, type PostRefusal } from './posts.ts';
import { postPath } from './published-pages.ts';

const examplePost = {
  title: 'Title',
  content: 'Text',
  slug: 'slug',
  excerpt: '',
  coverImage: '',
  published: true,
};

const postParameter = (description: string) => ({
  in: 'path',
  name: 'post',
  required: true,
  description,
  schema: { type: 'string' as const },
});
const postId = [postParameter('Its id.')];

const refusals: ProblemCode[] = ['not_allowed', 'not_found'];
const writeRefusals: ProblemCode[] = [
  'not_allowed',
  'slug_taken',
  'quota_exceeded',
  'too_many_requests',
];

interface PostEnv extends SignedInEnv {
  Variables: SignedInEnv['Variables'] & { post: Post };
}

export function postRoutes(deps: Deps) {
  const posts = createPosts(deps);
  const { createHandlers } = createFactory<AppEnv>();
  const requireUser = signedIn(deps);

  /** Rejects early; permissions are checked again when a post is written. */
  const writer = createMiddleware<SignedInEnv>(async (c, next) =>
    mayWrite(deps.settings, c.var.user) ? next() : refuse(c, { refused: 'not_allowed' }),
  );

  /** Requires a post that the user may see. */
  const existingPost = createMiddleware<PostEnv>(async (c, next) => {
    const post = posts.findById(c.req.param('post') ?? '', c.var.user);
    if (!post) return noSuchPost(c);
    c.set('post', post);
    return next();
  });

  const editorOfPost = (c: AppContext): string => {
    const { slug }: Post = c.get('post');
    return `/blog/editor/${slug}`;
  };

  const remove = createHandlers(
    describeEndpoint({
      summary: 'Delete a post',
      parameters: postId,
      replies: { 200: { description: 'Deleted.', schema: postDeleted } },
      problems: refusals,
    }),
    formPost('/blog'),
    requireUser,
    writer,
    existingPost,
    async (c) => {
      const removed = await posts.remove(c.var.user, c.var.post.id);
      if ('refused' in removed) return refuse(c, removed);
      return isFormPost(c) ? c.redirect('/blog', 303) : c.json(removed satisfies PostDeleted);
    },
  );

  return (
    new Hono<AppEnv>()
      .get(
        '/',
        describeEndpoint({
          summary: 'List posts, newest first',
          parameters: queryParameters({
            cursor: 'The `nextCursor` of the previous page.',
            drafts: '`true` for the drafts of the signed-in user.',
          }),
          replies: { 200: { description: 'A page of the list.', schema: postList } },
          problems: ['invalid_cursor'],
          session: 'optional',
        }),
        async (c) => {
          const wantsDrafts = c.req.query('drafts') === 'true';
          const user = wantsDrafts ? await findUser(c, deps) : null;
          const list = await posts.list(c.req.query('cursor'), user?.userId);
          if (list) return c.json(list);
          return problem(
            c,
            'invalid_cursor',
            'Use the nextCursor of the previous page, unchanged.',
          );
        },
      )
      .get(
        '/:post',
        describeEndpoint({
          summary: 'Get a post',
          parameters: [postParameter('Its slug.')],
          replies: { 200: { description: 'The post.', schema: postSchema } },
          problems: ['not_found'],
          session: 'optional',
        }),
        async (c) => {
          const slug = c.req.param('post');
          const post =
            posts.findBySlug(slug, null) ?? posts.findBySlug(slug, await findUser(c, deps));
          return post ? c.json(post) : noSuchPost(c);
        },
      )
      .post(
        '/',
        describeEndpoint({
          summary: 'Create a post',
          replies: { 201: { description: 'Created.', schema: postSaved } },
          problems: writeRefusals,
        }),
        formPost('/blog/editor'),
        requireUser,
        writer,
        input(newPost, { example: examplePost, readForm: readPostForm }),
        async (c) => {
          const saved = await posts.create(c.var.user, c.req.valid('json'));
          return 'refused' in saved ? refuse(c, saved) : answerSaved(c, saved, 201);
        },
      )
      .on(
        // Forms without JavaScript can only POST.
        ['PATCH', 'POST'],
        '/:post',
        describeEndpoint({
          summary: 'Change a post',
          description: 'Absent fields stay as they are. Forms without JavaScript use POST.',
          parameters: postId,
          replies: { 200: { description: 'Changed.', schema: postSaved } },
          problems: [...refusals, ...writeRefusals],
        }),
        formPost('/blog/editor'),
        requireUser,
        writer,
        existingPost,
        formPost(editorOfPost),
        input(postChange, { example: examplePost, readForm: readPostForm }),
        async (c) => {
          const { user, post } = c.var;
          const saved = await posts.update(user, post.id, c.req.valid('json'));
          return 'refused' in saved ? refuse(c, saved) : answerSaved(c, saved, 200);
        },
      )
      .delete('/:post', ...remove)
      // For forms without JavaScript.
      .post('/:post/delete', ...remove)
  );
}

/** Drafts, the editor and error pages. */
export function blogPages(deps: Deps): PersonalPages {
  const posts = createPosts(deps);

  async function postPage(c: AppContext): Promise<PageData | Response> {
    const slug = c.req.param('slug') ?? '';
    const user = await findUser(c, deps);
    const post = posts.findBySlug(slug, user);
    if (post) return (await postData(user, post)) ?? noPost(c);
    const moved = findByOldSlug(deps.db, slug);
    if (!moved || !mayRead(moved, user)) return noPost(c);
    // Another post may take the slug, so browsers must not cache the redirect.
    c.header('Cache-Control', moved.published ? 'no-cache' : 'private, no-store');
    return c.redirect(postPath(moved.slug), 301);
  }

  async function postData(user: SignedIn | null, post: Post): Promise<PageData | null> {
    const found = post.isSample
      ? await deps.bodies.renderFixed(post.content)
      : await deps.bodies.ofPost(post.id);
    if (!found) return null;
    const body = postBody(found);
    // Only writers see a post that cannot be rendered, so that they can fix or delete it.
    const isHidden = body.bodyHtml === null && !(user && mayWrite(deps.settings, user));
    return isHidden ? null : { kind: 'post', post, ...body };
  }

  function noPost(c: AppContext): PageData {
    c.set('isMissingPage', true);
    c.status(404);
    return { kind: 'noPost', reason: 'not-found' };
  }

  async function editorPage(c: AppContext): Promise<PageData | Response> {
    const user = await findUser(c, deps);
    // The spec redirects visitors to the blog.
    if (!user || !mayWrite(deps.settings, user)) return c.redirect('/blog', 303);
    const post = posts.findEditable(c.req.param('slug') ?? '', user) ?? null;
    if (!post) c.status(404);
    return { kind: 'edit', post };
  }

  return {
    '/blog/:slug': { find: postPage, failure: failure('failed') },
    '/blog/editor/:slug': { find: editorPage, failure: failure('editor-failed') },
  };
}

const failure = (reason: 'failed' | 'editor-failed'): PageData => ({ kind: 'noPost', reason });

const noSuchPost = (c: AppContext): Response => problem(c, 'not_found', messages.blog.notFound);

function refuse(c: AppContext, refusal: PostRefusal): Response {
  switch (refusal.refused) {
    case 'not_signed_in':
      return notSignedIn(c);
    case 'not_allowed':
      return problem(c, 'not_allowed', 'Only staff can write here. Ask for the staff role.');
    case 'not_found':
      return noSuchPost(c);
    case 'slug_taken':
      return problem(c, 'slug_taken', messages.blog.slugTaken, {
        issues: [{ path: 'slug', message: messages.blog.slugTaken }],
      });
    case 'content':
      return invalidInput(c, [{ path: 'content', message: refusal.problem }]);
    case 'quota': {
      const { detail, retryAfterSeconds } = refusal;
      if (retryAfterSeconds !== undefined) return tooManyRequests(c, retryAfterSeconds, detail);
      return problem(c, 'quota_exceeded', detail);
    }
    case 'busy':
      return problem(
        c,
        'busy',
        'Too many posts are being saved right now. Please try again in a moment.',
        {
          headers: { 'Retry-After': '5' },
        },
      );
  }
}

function answerSaved(c: AppContext, saved: PostSaved, status: 200 | 201): Response {
  if (isFormPost(c)) return c.redirect(`/blog/${saved.post.slug}`, 303);
  return c.json(saved, status);
}

/** A form omits an unchecked box. */
const readPostForm = ({ published, ...texts }: Record<string, string>) => ({
  ...texts,
  published: published === 'true',
});
