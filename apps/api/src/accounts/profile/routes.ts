import type { AvatarSaved } from '@app/contract/accounts/avatars';
import { accountMessages } from '@app/contract/accounts/messages';
import { type Profile, profileChange } from '@app/contract/accounts/profile';
import { avatarSaved, profile as profileSchema } from '@app/contract/accounts/replies';
import type { Author } from '@app/contract/blog/posts';
import { author as authorSchema } from '@app/contract/blog/replies';
import { hour } from '@app/contract/durations';
import { limits } from '@app/contract/limits';
import { Hono } from 'hono';
import { createFactory } from 'hono/factory';
import { imageInput, refuseImage, unlessBusy } from '../../images/middleware.ts';
import type { AppContext, AppEnv } from '../../server/context.ts';
import { describeEndpoint } from '../../server/describe-endpoint.ts';
import { readEntries, withEntries } from '../../server/entries.ts';
import { formPost, input, invalidInput, isFormPost, multipartForm } from '../../server/input.ts';
import type { FindPage } from '../../server/personal-pages.ts';
import { problem } from '../../server/problem.ts';
import { tooManyRequests } from '../../server/rate-limits/middleware.ts';
import type { RateLimit } from '../../server/rate-limits/rate-limits.ts';
import { redirectToSignIn } from '../../server/redirect-to-sign-in.ts';
import { answerImage, describeImage } from '../../server/stored-image.ts';
import { isRecentSignIn } from '../sessions/live-session.ts';
import { signedIn } from '../sessions/middleware.ts';
import { findUser } from '../sessions/session-cookie.ts';
import { findAuthorProfile, toAuthor } from './author.ts';
import type { Deps } from './deps.ts';
import { changeProfile, findProfile, profileOf, usernameIssue } from './profile.ts';

const page = '/profile';
const names = ['username', 'fullName'] as const;

/** A change may update thousands of pages. */
const changes: RateLimit = { name: 'profiles', max: 60, milliseconds: hour };
const uploads: RateLimit = { name: 'avatars', max: 30, milliseconds: hour };

export function profileRoutes(deps: Deps) {
  const { createHandlers } = createFactory<AppEnv>();
  const requireUser = signedIn(deps, notSignedIn);

  const saveAvatar = createHandlers(
    describeEndpoint({
      summary: 'Upload an avatar',
      description: `An image of at most ${limits.imageBytes} bytes. Forms without JavaScript use POST.`,
      replies: { 200: { description: 'Saved.', schema: avatarSaved } },
      problems: ['invalid_input', 'too_many_requests'],
    }),
    requireUser,
    unlessBusy(deps),
    imageInput(deps),
    async (c) => {
      const { user } = c.var;
      const { file } = c.req.valid('form');
      if (!file) return refuseImage(c, { refused: 'no-file' });
      const taken = await deps.rateLimits.take(uploads, user.userId);
      if (!taken.allowed) return tooMany(c, taken);
      const saved = await deps.avatars.save(user, await file.bytes());
      if ('refused' in saved) {
        return saved.refused === 'not_signed_in' ? notSignedIn(c) : refuseImage(c, saved);
      }
      if (isFormPost(c)) return c.redirect(`${page}#avatar-updated`, 303);
      return c.json(saved satisfies AvatarSaved);
    },
  );

  const avatarForm = { noticePrefix: 'avatar-' };
  const removeAvatar = createHandlers(
    describeEndpoint({
      summary: 'Delete the avatar',
      replies: { 204: { description: 'Deleted.' } },
    }),
    formPost(page, avatarForm),
    requireUser,
    async (c) => {
      if (!(await deps.avatars.remove(c.var.user))) return notSignedIn(c);
      return isFormPost(c) ? c.redirect(`${page}#avatar-removed`, 303) : c.body(null, 204);
    },
  );

  return (
    new Hono<AppEnv>()
      .get(
        '/',
        describeEndpoint({
          summary: 'Get your own profile',
          replies: { 200: { description: 'The profile.', schema: profileSchema } },
          problems: ['not_found'],
        }),
        requireUser,
        (c) => {
          const profile = findProfile(deps, c.var.user.userId);
          if (!profile) return problem(c, 'not_found', accountMessages.profile.none);
          return c.json(profile satisfies Profile);
        },
      )
      .on(
        ['PATCH', 'POST'],
        '/',
        describeEndpoint({
          summary: 'Change your own profile',
          description: 'Omitted fields stay unchanged. Forms without JavaScript use POST.',
          replies: { 200: { description: 'The changed profile.', schema: profileSchema } },
          problems: ['username_taken', 'too_many_requests'],
        }),
        formPost(page),
        requireUser,
        input(profileChange, {
          example: { username: 'new.name', fullName: 'New Name' },
          pageOf: (fields) => withEntries(page, fields, names),
        }),
        async (c) => {
          const { user } = c.var;
          const change = c.req.valid('json');
          const issue = change.username === undefined ? null : usernameIssue(change.username);
          if (issue) return invalidInput(c, [issue]);
          const taken = await deps.rateLimits.take(changes, user.userId);
          if (!taken.allowed) return tooMany(c, taken);
          const profile = await changeProfile(deps, user, change);
          if ('refused' in profile) {
            if (profile.refused === 'invalid_name') return invalidInput(c, [profile.issue]);
            return profile.refused === 'not_signed_in' ? notSignedIn(c) : usernameIsTaken(c);
          }
          if (isFormPost(c)) return c.redirect(`${page}#profile-updated`, 303);
          return c.json(profile satisfies Profile);
        },
      )
      .put('/avatar', ...saveAvatar)
      .delete('/avatar', ...removeAvatar)
      // For forms without JavaScript.
      .post('/avatar', formPost(page, { ...avatarForm, ...multipartForm }), ...saveAvatar)
      .post('/avatar/delete', ...removeAvatar)
  );
}

export const profilePage =
  (deps: Deps): FindPage =>
  async (c) => {
    const user = await findUser(c, deps);
    if (!user) return redirectToSignIn(c, page);
    return profileOf(deps, user, {
      isRecent: isRecentSignIn(user, deps.clock.now()),
      entered: readEntries(c, [...names, 'email']),
    });
  };

export const authorRoutes = (deps: Deps) =>
  new Hono<AppEnv>().get(
    '/:id',
    describeEndpoint({
      summary: 'Get the public name and avatar of an author',
      replies: { 200: { description: 'The author.', schema: authorSchema } },
      problems: ['not_found'],
    }),
    (c) => {
      const profile = findAuthorProfile(deps.db, c.req.param('id'));
      if (!profile) return problem(c, 'not_found', 'There is no such author.');
      return c.json(toAuthor(profile) satisfies Author);
    },
  );

export const uploadRoutes = ({ avatars }: Deps) =>
  new Hono<AppEnv>().get(
    '/avatars/:userId/:name',
    describeImage('Get an avatar', 'image/webp'),
    async (c) => {
      const { userId, name } = c.req.param();
      return answerImage(c, await avatars.read(userId, name), 'image/webp');
    },
  );

const notSignedIn = (c: AppContext): Response =>
  problem(c, 'not_signed_in', accountMessages.avatar.notSignedIn);

const usernameIsTaken = (c: AppContext): Response =>
  problem(c, 'username_taken', accountMessages.profile.usernameTaken, {
    issues: [{ path: 'username', message: accountMessages.profile.usernameTaken }],
  });

const tooMany = (c: AppContext, { retryAfterSeconds }: { retryAfterSeconds: number }): Response =>
  tooManyRequests(c, retryAfterSeconds, accountMessages.limits.accounts);
