import {
  type DraftLinkCreated,
  type DraftLinkList,
  type DraftLinkRevoked,
  draftLinkCreated,
  draftLinkList,
  draftLinkRevoked,
} from '@app/contract/blog/draft-link-replies';
import { newDraftLink } from '@app/contract/blog/draft-links';
import { blogMessages } from '@app/contract/blog/messages';
import { Hono } from 'hono';
import { signedIn } from '../../accounts/sessions/middleware.ts';
import type { AppContext, AppEnv } from '../../server/context.ts';
import { describeEndpoint, pathParameter } from '../../server/describe-endpoint.ts';
import { input } from '../../server/input.ts';
import { problem } from '../../server/problem.ts';
import type { Deps } from '../deps.ts';
import { changeablePost, postId, writersOnly } from '../middleware.ts';
import { answerRefusal } from '../refusals.ts';
import { createDraftLinks, type DraftLinkRefusal, draftLinkPath } from './draft-links.ts';

const exampleDraftLink = { lifetime: 'P7D', pinned: false };

export function draftLinkRoutes(deps: Deps) {
  const links = createDraftLinks(deps);
  const requireUser = signedIn(deps);
  const writer = writersOnly(deps);
  const requirePost = changeablePost(deps);

  return new Hono<AppEnv>()
    .get(
      '/',
      describeEndpoint({
        summary: 'List the links to a draft',
        parameters: postId,
        replies: {
          200: { description: 'The working links, newest first.', schema: draftLinkList },
        },
        problems: ['not_allowed', 'not_found'],
      }),
      requireUser,
      writer,
      requirePost,
      (c) => c.json({ links: links.list(c.var.post.id) } satisfies DraftLinkList),
    )
    .post(
      '/',
      describeEndpoint({
        summary: 'Create a link to a draft',
        description: 'People without an account can read the draft with it until it expires.',
        parameters: postId,
        replies: { 201: { description: 'Created.', schema: draftLinkCreated } },
        problems: ['not_allowed', 'not_found', 'quota_exceeded'],
      }),
      requireUser,
      writer,
      requirePost,
      input(newDraftLink, { example: exampleDraftLink }),
      async (c) => {
        const created = await links.create(c.var.user, c.var.post.id, c.req.valid('json'));
        if ('refused' in created) return refuse(c, created);
        const { link, token } = created;
        const url = deps.settings.publicUrl + draftLinkPath(token);
        return c.json({ link, url } satisfies DraftLinkCreated, 201);
      },
    )
    .delete(
      '/:id',
      describeEndpoint({
        summary: 'Revoke a link to a draft',
        parameters: [...postId, pathParameter('id', 'The id of the link.')],
        replies: { 200: { description: 'Revoked.', schema: draftLinkRevoked } },
        problems: ['not_allowed', 'not_found'],
      }),
      requireUser,
      writer,
      requirePost,
      async (c) => {
        const link = { postId: c.var.post.id, id: c.req.param('id') };
        const revoked = await links.revoke(c.var.user, link);
        return 'refused' in revoked
          ? refuse(c, revoked)
          : c.json(revoked satisfies DraftLinkRevoked);
      },
    );
}

function refuse(c: AppContext, refusal: DraftLinkRefusal): Response {
  switch (refusal.refused) {
    case 'published':
      return problem(c, 'not_allowed', blogMessages.draftLinks.published);
    case 'no_link':
      return problem(c, 'not_found', blogMessages.draftLinks.notFound);
    default:
      return answerRefusal(c, refusal);
  }
}
