import { pictureChange } from '@app/contract/blog/picture-inputs';
import {
  type Picture,
  type PictureList,
  pictureList,
  picture as pictureSchema,
} from '@app/contract/blog/picture-replies';
import { imageField, imageMessages, refusalMessages } from '@app/contract/images';
import { limits } from '@app/contract/limits';
import { Hono } from 'hono';
import { createFactory, createMiddleware } from 'hono/factory';
import * as v from 'valibot';
import { signedIn } from '../../accounts/sessions/middleware.ts';
import type { AppContext, AppEnv } from '../../server/context.ts';
import {
  describeEndpoint,
  pathParameter,
  queryParameters,
} from '../../server/describe-endpoint.ts';
import { imageInput } from '../../server/image-upload.ts';
import { formPost, input, invalidInput, isFormPost, multipartForm } from '../../server/input.ts';
import { problem } from '../../server/problem.ts';
import { countRequest, createRateLimit, tooManyRequests } from '../../server/rate-limits.ts';
import { answerImage, describeImage } from '../../server/stored-image.ts';
import type { Deps } from '../deps.ts';
import { writersOnly } from '../middleware.ts';
import { answerRefusal } from '../refusals.ts';

const page = '/blog/pictures';

/** Pictures of posts. Each user sees and chooses from their own. */
export function pictureRoutes(deps: Deps) {
  const { pictures } = deps;
  // Each costs seconds of processor time.
  const uploads = createRateLimit(deps, { name: 'pictures', max: 200, seconds: 3_600 });
  const { createHandlers } = createFactory<AppEnv>();
  const requireUser = signedIn(deps);
  const writer = writersOnly(deps);

  const unlessBusy = createMiddleware<AppEnv>(async (c, next) =>
    pictures.isBusy() ? tooBusy(c) : next(),
  );
  const pictureFile = imageInput(deps, { tooLarge: imageMessages.tooLarge });

  const upload = createHandlers(
    describeEndpoint({
      summary: 'Upload a picture',
      description: `An image of at most ${limits.imageBytes} bytes, and optionally its description as the field \`alt\`. It is stored as AVIF and WebP, up to 1,600 pixels wide and without metadata, and deleted when no post has used it for 30 days.`,
      replies: { 201: { description: 'Stored.', schema: pictureSchema } },
      problems: ['invalid_input', 'not_allowed', 'quota_exceeded', 'too_many_requests'],
    }),
    requireUser,
    writer,
    unlessBusy,
    pictureFile,
    async (c) => {
      const { user } = c.var;
      const { file, texts } = c.req.valid('form');
      if (!file) return refuseImage(c, 'no-file');
      const change = v.safeParse(pictureChange, { alt: texts['alt'] ?? '' });
      if (!change.success) {
        return invalidInput(
          c,
          [{ path: 'alt', message: change.issues[0].message }],
          'alt-too-long',
        );
      }
      const full = pictures.refuseFull(user);
      if (full) return answerRefusal(c, full);
      const taken = await countRequest(deps, uploads, user.userId);
      if (!taken.allowed) return tooManyRequests(c, taken.retryAfterSeconds, tooMany);
      const { alt } = change.output;
      const saved = await pictures.save(user, { bytes: await file.bytes(), alt });
      if ('refusedImage' in saved) return refuseImage(c, saved.refusedImage);
      if ('refused' in saved) {
        return saved.refused === 'busy' ? tooBusy(c) : answerRefusal(c, saved);
      }
      if (isFormPost(c)) return c.redirect(`${page}#uploaded`, 303);
      return c.json(saved satisfies Picture, 201);
    },
  );

  return (
    new Hono<AppEnv>()
      .get(
        '/',
        describeEndpoint({
          summary: 'List one’s own pictures, newest first',
          parameters: queryParameters({ cursor: 'The `nextCursor` of the previous page.' }),
          replies: { 200: { description: 'A page of the list.', schema: pictureList } },
          problems: ['invalid_cursor'],
        }),
        requireUser,
        (c) => {
          const list = pictures.list(c.var.user, c.req.query('cursor'));
          if (list) return c.json(list satisfies PictureList);
          return problem(
            c,
            'invalid_cursor',
            'Use the nextCursor of the previous page, unchanged.',
          );
        },
      )
      .post('/', ...upload)
      // For forms without JavaScript.
      .post('/upload', formPost(page, multipartForm), ...upload)
      .patch(
        '/:picture',
        describeEndpoint({
          summary: 'Change the description of a picture',
          description: 'For its next use. Posts have their own descriptions.',
          parameters: [pathParameter('picture', 'Its id.')],
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
          if (changed.refused === 'not_found') return problem(c, 'not_found', noSuchPicture);
          return answerRefusal(c, changed);
        },
      )
  );
}

/** /pictures. */
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

const noSuchPicture = 'There is no such picture of yours.';

const tooMany = 'Too many pictures were uploaded in the last hour. Please try again later.';

const tooBusy = (c: AppContext): Response =>
  problem(c, 'busy', imageMessages.busy, { headers: { 'Retry-After': '5' } });

const refuseImage = (c: AppContext, reason: keyof typeof refusalMessages): Response =>
  invalidInput(c, [{ path: imageField, message: refusalMessages[reason] }], reason);
