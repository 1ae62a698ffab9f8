import {
  type Draft,
  type DraftDiscarded,
  type DraftList,
  type DraftStored,
  draftDiscarded,
  draftList,
  draft as draftSchema,
  draftStored,
} from '@app/contract/blog/draft-replies';
import { draftChange } from '@app/contract/blog/drafts';
import { blogMessages } from '@app/contract/blog/messages';
import { Hono } from 'hono';
import { createFactory } from 'hono/factory';
import { signedIn } from '../../accounts/sessions/middleware.ts';
import type { AppContext, AppEnv } from '../../server/context.ts';
import {
  describeEndpoint,
  pathParameter,
  queryParameters,
} from '../../server/describe-endpoint.ts';
import { formPost, input, isFormPost } from '../../server/input.ts';
import { problem } from '../../server/problem.ts';
import type { Deps } from '../deps.ts';
import { createPosts } from '../posts/posts.ts';
import { answerRefusal } from '../refusals.ts';
import { createDrafts, type DraftRefusal } from './drafts.ts';

export const exampleDraft = {
  title: 'Title',
  content: 'Unfinished',
  slug: '',
  excerpt: '',
  coverImage: '',
  tags: 'Heating, Cost',
  published: false,
};

const parameters = [
  pathParameter('id', 'The id of the post, or for a new post a UUID that the client makes.'),
];

/** Unsaved text. Each user has one draft per post, and sees only their own. */
export function draftRoutes(deps: Deps) {
  const drafts = createDrafts(deps);
  const posts = createPosts(deps);
  const { createHandlers } = createFactory<AppEnv>();
  const requireUser = signedIn(deps);

  const discard = createHandlers(
    describeEndpoint({
      summary: 'Discard unsaved text',
      parameters: [
        ...parameters,
        ...queryParameters({
          updatedAt:
            'Of the draft to discard. If it was stored again since, the request is rejected as draft_changed.',
        }),
      ],
      replies: { 200: { description: 'Discarded.', schema: draftDiscarded } },
      problems: ['not_allowed', 'draft_changed'],
    }),
    formPost('/blog/editor'),
    requireUser,
    async (c) => {
      const id = c.req.param('id') ?? '';
      const { postId } = drafts.find(c.var.user, id) ?? { postId: null };
      const discarded = await drafts.discard(c.var.user, id, c.req.query('updatedAt'));
      if (typeof discarded !== 'boolean') return refuse(c, discarded);
      if (!isFormPost(c)) return c.json({ discarded } satisfies DraftDiscarded);
      const post = postId === null ? undefined : posts.findById(postId, c.var.user);
      return c.redirect(post ? `/blog/editor/${post.slug}` : '/blog/editor', 303);
    },
  );

  return (
    new Hono<AppEnv>()
      .get(
        '/',
        describeEndpoint({
          summary: 'List unsaved texts, newest first',
          replies: { 200: { description: 'Those of the user.', schema: draftList } },
        }),
        requireUser,
        (c) => c.json(drafts.list(c.var.user) satisfies DraftList),
      )
      .get(
        '/:id',
        describeEndpoint({
          summary: 'Get unsaved text',
          parameters,
          replies: { 200: { description: 'The draft.', schema: draftSchema } },
          problems: ['not_found'],
        }),
        requireUser,
        (c) => {
          const draft = drafts.find(c.var.user, c.req.param('id'));
          return draft ? c.json(draft satisfies Draft) : noSuchDraft(c);
        },
      )
      .put(
        '/:id',
        describeEndpoint({
          summary: 'Store unsaved text',
          description: 'It changes no post, and may be invalid.',
          parameters,
          replies: { 200: { description: 'Stored.', schema: draftStored } },
          problems: [
            'not_allowed',
            'not_found',
            'draft_changed',
            'other_account',
            'quota_exceeded',
            'too_many_requests',
          ],
        }),
        requireUser,
        input(draftChange, { example: exampleDraft }),
        async (c) => {
          const stored = await drafts.store(c.var.user, c.req.param('id'), c.req.valid('json'));
          if ('refused' in stored) return refuse(c, stored);
          // Starting what renders and writes a page takes several times as long as a save.
          void deps.bodies.warmUp();
          deps.publisher.warmUp();
          return c.json(stored satisfies DraftStored);
        },
      )
      .delete('/:id', ...discard)
      // For forms without JavaScript.
      .post('/:id/delete', ...discard)
  );
}

const noSuchDraft = (c: AppContext): Response =>
  problem(c, 'not_found', blogMessages.unsaved.notFound);

function refuse(c: AppContext, refusal: DraftRefusal): Response {
  switch (refusal.refused) {
    case 'draft_changed':
      return problem(c, 'draft_changed', blogMessages.unsaved.changed);
    default:
      return answerRefusal(c, refusal);
  }
}
