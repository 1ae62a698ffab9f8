import type { PostSaved } from '@app/contract/blog/posts';
import { postSaved } from '@app/contract/blog/replies';
import {
  type RevisionList,
  type RevisionNamed,
  type RevisionTexts,
  revisionList,
  revisionNamed,
  revisionTexts,
} from '@app/contract/blog/revision-replies';
import { revisionName, revisionRestore } from '@app/contract/blog/revisions';
import { Hono } from 'hono';
import { createFactory } from 'hono/factory';
import { signedIn } from '../../accounts/sessions/middleware.ts';
import type { AppContext, AppEnv } from '../../server/context.ts';
import {
  describeEndpoint,
  pathParameter,
  queryParameters,
} from '../../server/describe-endpoint.ts';
import { input } from '../../server/input.ts';
import type { Deps } from '../deps.ts';
import { changeablePost, type PostEnv, postId, writersOnly } from '../middleware.ts';
import { answerRefusal, cursorParameter, invalidCursor } from '../refusals.ts';
import { createPostWriter } from '../writing/post-writer.ts';
import { nameRevision } from './name-revision.ts';
import { findRevisionTexts, listRevisions } from './stored-revisions.ts';

const parameters = [
  ...postId,
  pathParameter('version', 'The version of the post after that save.', 'integer'),
];

/** A revision is what one save of a post has written. */
export function revisionRoutes(deps: Deps) {
  const { db } = deps;
  const postWriter = createPostWriter(deps);
  const requireUser = signedIn(deps);
  const writer = writersOnly(deps);
  const requirePost = changeablePost(deps);
  const { createHandlers } = createFactory<PostEnv>();

  const versionOf = (c: AppContext): number => {
    const text = c.req.param('version') ?? '';
    return /^\d{1,15}$/.test(text) ? Number(text) : 0;
  };
  const find = (c: AppContext, { user, post }: PostEnv['Variables']) =>
    findRevisionTexts(db, post.id, versionOf(c), user);

  const name = createHandlers(
    describeEndpoint({
      summary: 'Name a revision',
      description: 'Revisions with a name are never deleted.',
      parameters,
      replies: { 200: { description: 'Named.', schema: revisionNamed } },
      problems: ['not_allowed', 'not_found', 'quota_exceeded'],
    }),
    requireUser,
    writer,
    requirePost,
    input(revisionName, { example: { name: 'Before the rewrite' } }),
    async (c) => {
      const { user, post } = c.var;
      const { name } = c.req.valid('json');
      const wanted = { postId: post.id, version: versionOf(c), name };
      const named = await nameRevision(deps, user, wanted);
      return 'refused' in named ? answerRefusal(c, named) : c.json(named satisfies RevisionNamed);
    },
  );

  return new Hono<AppEnv>()
    .get(
      '/',
      describeEndpoint({
        summary: 'List the revisions of a post, newest first',
        parameters: [...postId, ...queryParameters(cursorParameter)],
        replies: { 200: { description: 'A page of the list.', schema: revisionList } },
        problems: ['not_allowed', 'not_found', 'invalid_cursor'],
      }),
      requireUser,
      writer,
      requirePost,
      (c) => {
        const { user, post } = c.var;
        const list = listRevisions(db, post, user, c.req.query('cursor'));
        if (list) return c.json(list satisfies RevisionList);
        return invalidCursor(c);
      },
    )
    .get(
      '/:version',
      describeEndpoint({
        summary: 'Get a revision',
        parameters,
        replies: { 200: { description: 'The texts of the revision.', schema: revisionTexts } },
        problems: ['not_allowed', 'not_found'],
      }),
      requireUser,
      writer,
      requirePost,
      (c) => {
        const revision = find(c, c.var);
        return revision
          ? c.json(revision satisfies RevisionTexts)
          : answerRefusal(c, { refused: 'no_revision' });
      },
    )
    .patch('/:version', ...name)
    .post(
      '/:version/restore',
      describeEndpoint({
        summary: 'Restore a revision',
        description: 'Saves its texts. The slug and whether the post is published stay unchanged.',
        parameters,
        replies: { 200: { description: 'Saved.', schema: postSaved } },
        problems: [
          'not_allowed',
          'not_found',
          'edit_conflict',
          'quota_exceeded',
          'too_many_requests',
        ],
      }),
      requireUser,
      writer,
      requirePost,
      input(revisionRestore, { example: { baseVersion: 1 } }),
      async (c) => {
        const { user, post } = c.var;
        const revision = find(c, c.var);
        if (!revision) return answerRefusal(c, { refused: 'no_revision' });
        const { baseVersion } = c.req.valid('json');
        const { title, excerpt, coverImage, tags, content } = revision;
        const texts = { title, excerpt, coverImage, tags, content };
        const saved = await postWriter.update(user, post.id, { baseVersion, ...texts });
        return 'refused' in saved ? answerRefusal(c, saved) : c.json(saved satisfies PostSaved);
      },
    );
}
