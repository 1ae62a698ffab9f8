import { blogMessages, writingMessages } from '@app/contract/blog/messages';
import { pictureChange } from '@app/contract/blog/picture-inputs';
import {
  type Picture,
  type PictureDeleted,
  type PictureList,
  pictureDeleted,
  pictureList,
  picture as pictureSchema,
} from '@app/contract/blog/picture-replies';
import { hour } from '@app/contract/durations';
import { limits } from '@app/contract/limits';
import { Hono } from 'hono';
import * as v from 'valibot';
import { signedIn } from '../../accounts/sessions/middleware.ts';
import { mayWrite } from '../../accounts/sessions/permissions.ts';
import { findUser } from '../../accounts/sessions/session-cookie.ts';
import { imageInput, refuseImage, unlessBusy } from '../../images/middleware.ts';
import type { AppContext, AppEnv } from '../../server/context.ts';
import {
  describeEndpoint,
  pathParameter,
  queryParameters,
} from '../../server/describe-endpoint.ts';
import { input, invalidInput } from '../../server/input.ts';
import type { PersonalPage } from '../../server/personal-pages.ts';
import { problem } from '../../server/problem.ts';
import { tooManyRequests } from '../../server/rate-limits/middleware.ts';
import type { RateLimit } from '../../server/rate-limits/rate-limits.ts';
import { redirectToSignIn } from '../../server/redirect-to-sign-in.ts';
import { answerImage, describeImage } from '../../server/stored-image.ts';
import type { Deps } from '../deps.ts';
import { writersOnly } from '../middleware.ts';
import type { PostRefusal } from '../posts/writing-access.ts';
import { answerRefusal, cursorParameter, invalidCursor } from '../refusals.ts';

const page = '/blog/pictures';

/** Each upload takes seconds of CPU time. */
const uploads: RateLimit = { name: 'pictures', max: 200, milliseconds: hour };

export function pictureRoutes(deps: Deps) {
  const { pictures } = deps;
  const requireUser = signedIn(deps);
  const writer = writersOnly(deps);

  return new Hono<AppEnv>()
    .get(
      '/',
      describeEndpoint({
        summary: 'List your own pictures, newest first',
        parameters: queryParameters({
          ...cursorParameter,
          q: 'Part of the description to search for.',
        }),
        replies: { 200: { description: 'A page of the list.', schema: pictureList } },
        problems: ['invalid_cursor'],
      }),
      requireUser,
      (c) => {
        const { cursor, q: query } = c.req.query();
        const list = pictures.list(c.var.user, { cursor, query });
        if (list) return c.json(list satisfies PictureList);
        return invalidCursor(c);
      },
    )
    .post(
      '/',
      describeEndpoint({
        summary: 'Upload a picture',
        description: `An image of at most ${limits.imageBytes} bytes, and optionally its description as the field \`alt\`. It is stored as AVIF and WebP, up to 1,600 pixels wide and without metadata, and deleted when no post has used it for 30 days.`,
        replies: { 201: { description: 'Stored.', schema: pictureSchema } },
        problems: ['invalid_input', 'not_allowed', 'quota_exceeded', 'too_many_requests'],
      }),
      requireUser,
      writer,
      unlessBusy(deps),
      imageInput(deps),
      async (c) => {
        const { user } = c.var;
        const { file, texts } = c.req.valid('form');
        if (!file) return refuseImage(c, { refused: 'no-file' });
        const change = v.safeParse(pictureChange, { alt: texts['alt'] ?? '' });
        if (!change.success) {
          return invalidInput(c, [{ path: 'alt', message: change.issues[0].message }]);
        }
        const full = pictures.refuseFull(user);
        if (full) return answerRefusal(c, full);
        const taken = await deps.rateLimits.take(uploads, user.userId);
        if (!taken.allowed)
          return tooManyRequests(c, taken.retryAfterSeconds, writingMessages.picturesTooOften);
        const { alt } = change.output;
        const saved = await pictures.save(user, { bytes: await file.bytes(), alt });
        if ('refusedImage' in saved) return refuseImage(c, saved.refusedImage);
        if ('refused' in saved) return answerRefusal(c, saved);
        return c.json(saved satisfies Picture, 201);
      },
    )
    .patch(
      '/:picture',
      describeEndpoint({
        summary: 'Change the description of a picture',
        description: 'Applies when it is next inserted. Existing posts keep their descriptions.',
        parameters: pictureId,
        replies: { 200: { description: 'Changed.', schema: pictureSchema } },
        problems: ['not_allowed', 'not_found'],
      }),
      requireUser,
      writer,
      input(pictureChange, { example: { alt: 'A plumber under a sink' } }),
      async (c) => {
        const { alt } = c.req.valid('json');
        const changed = await pictures.changeAlt(c.var.user, c.req.param('picture'), alt);
        if (!('refused' in changed)) return c.json(changed satisfies Picture);
        return answerPictureRefusal(c, changed);
      },
    )
    .delete(
      '/:picture',
      describeEndpoint({
        summary: 'Delete a picture',
        description: 'Rejected while a post, one of its versions or unsaved text uses it.',
        parameters: pictureId,
        replies: { 200: { description: 'Deleted.', schema: pictureDeleted } },
        problems: ['not_allowed', 'not_found', 'picture_in_use'],
      }),
      requireUser,
      writer,
      async (c) => {
        const removed = await pictures.remove(c.var.user, c.req.param('picture'));
        return 'refused' in removed
          ? answerPictureRefusal(c, removed)
          : c.json(removed satisfies PictureDeleted);
      },
    );
}

export const pictureFileRoutes = ({ pictures }: Deps) =>
  new Hono<AppEnv>().get(
    '/:picture/:name',
    describeImage('Get a picture', 'image/avif'),
    async (c) => {
      const { picture, name } = c.req.param();
      const type = name.endsWith('.avif') ? 'image/avif' : 'image/webp';
      return answerImage(c, await pictures.read(picture, name), type);
    },
  );

const pictureId = [pathParameter('picture', 'The id of the picture.')];

function answerPictureRefusal(
  c: AppContext,
  refusal: PostRefusal | { refused: 'in_use' },
): Response {
  if (refusal.refused === 'in_use') {
    return problem(c, 'picture_in_use', blogMessages.pictures.inUse);
  }
  if (refusal.refused === 'not_found') {
    return problem(c, 'not_found', blogMessages.pictures.notFound);
  }
  return answerRefusal(c, refusal);
}

export const picturesPage = (deps: Deps): PersonalPage => ({
  async find(c) {
    const user = await findUser(c, deps);
    if (!user) return redirectToSignIn(c, page);
    if (!mayWrite(deps.settings, user)) return c.redirect('/blog', 303);
    const { cursor, q: query = '' } = c.req.query();
    const list = deps.pictures.list(user, { cursor, query });
    if (!list) return c.redirect(page, 303);
    return {
      kind: 'pictures',
      pictures: deps.pictures.withUses(user, list.pictures),
      query: query.trim().slice(0, limits.pictureSearch),
      isOlder: cursor !== undefined,
      nextCursor: list.nextCursor,
    };
  },
});
