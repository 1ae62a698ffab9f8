import { accountMessages } from '@app/contract/accounts/messages';
import {
  type AcceptedReply,
  acceptedReply,
  deviceList,
  type EmailChangeCanceledReply,
  type EmailChangedReply,
  emailChangeCanceledReply,
  emailChangedReply,
  sessionReply,
} from '@app/contract/accounts/replies';
import {
  accountDeletion,
  type DeviceList,
  emailChange,
  passwordChange,
} from '@app/contract/accounts/settings';
import { confirmation, type SessionReply } from '@app/contract/accounts/sign-in';
import { day, hour } from '@app/contract/durations';
import type { InputIssue } from '@app/contract/problems';
import { company } from '@app/site/company';
import { Hono } from 'hono';
import { createFactory } from 'hono/factory';
import * as v from 'valibot';
import { toIso } from '../../clock.ts';
import { mailboxOf } from '../../email/budget.ts';
import type { AppContext, AppEnv } from '../../server/context.ts';
import { describeEndpoint } from '../../server/describe-endpoint.ts';
import { withEntries } from '../../server/entries.ts';
import { formPost, input, invalidInput, isFormPost, sentForm } from '../../server/input.ts';
import type { FindPage } from '../../server/personal-pages.ts';
import { problem } from '../../server/problem.ts';
import { tooManyRequests } from '../../server/rate-limits/middleware.ts';
import type { RateLimit } from '../../server/rate-limits/rate-limits.ts';
import { redirectToSignIn } from '../../server/redirect-to-sign-in.ts';
import type { SessionRefusal } from '../sessions/live-session.ts';
import { recentSignIn, signedIn } from '../sessions/middleware.ts';
import {
  clearCookies,
  findUser,
  notSignedIn,
  recentSignInRequired,
  setCookies,
  startSession,
} from '../sessions/session-cookie.ts';
import { getUser } from '../sessions/user.ts';
import { admitToHashing, uncommonPassword } from '../sign-in/middleware.ts';
import { requiredNotice } from '../sign-in/required-notice.ts';
import {
  cancelEmailChange,
  changeEmail,
  findEmailChange,
  findEmailChangeToCancel,
  startEmailChange,
} from './change-email.ts';
import { changePassword } from './change-password.ts';
import { deleteAccount } from './delete-account.ts';
import type { Deps } from './deps.ts';
import { exportAccount } from './export.ts';

/** The page of all forms. Each form's notices have ids with a prefix. */
const page = '/profile';

/** After canceling a change, users need a new password. */
const forgotPage = '/auth/forgot';
const cannotCancel = `${forgotPage}#cannot-cancel`;

/** Each change hashes a password and sends an email. */
const passwordChanges: RateLimit = { name: 'password-change', max: 10, milliseconds: hour };
const emailChanges: RateLimit = { name: 'email-change', max: 5, milliseconds: hour };
/** To a mailbox, from all accounts: visitors must not use up these emails, see `countEmailRequest`. */
const emailChangesTo: RateLimit = { name: 'email-change-to', max: 2, milliseconds: day };
const exports: RateLimit = { name: 'account-export', max: 10, milliseconds: hour };

export function credentialRoutes(deps: Deps) {
  return new Hono<AppEnv>()
    .on(
      ['PUT', 'POST'],
      '/password',
      describeEndpoint({
        summary: 'Set or change the password',
        description: 'Ends all other sessions. Forms without JavaScript use POST.',
        replies: { 200: { description: 'Changed.', schema: sessionReply } },
        problems: ['too_many_requests'],
      }),
      formPost(page),
      recentSignIn(deps, signInFirst),
      input(passwordChange, {
        example: { password: 'battery staple' },
        noticePrefix: 'password-',
        notice: requiredField,
      }),
      uncommonPassword,
      admitToHashing(deps),
      async (c) => {
        const { user } = c.var;
        const taken = await deps.rateLimits.take(passwordChanges, user.userId);
        if (!taken.allowed) {
          return tooManyRequests(c, taken.retryAfterSeconds, accountMessages.limits.accounts);
        }
        const changed = await changePassword(deps, user, c.req.valid('json').password);
        if ('refused' in changed) return refuse(c, changed);
        if (!(await startSession(c, deps, changed))) return signInFirst(c);
        if (isFormPost(c)) return c.redirect(`${page}#password-changed`, 303);
        return c.json({ user: getUser(deps, user.userId) } satisfies SessionReply);
      },
    )
    .post(
      '/email',
      describeEndpoint({
        summary: 'Request a change of the email address',
        description: 'Sends a confirmation link to the new address.',
        replies: {
          202: {
            description: 'Accepted, whether or not the address has an account.',
            schema: acceptedReply,
          },
        },
        problems: ['too_many_requests'],
      }),
      formPost((c) => withEntries(page, sentForm(c), ['email'])),
      recentSignIn(deps, signInFirst),
      input(emailChange, {
        example: { email: 'other@example.com' },
        noticePrefix: 'email-',
        notice: requiredField,
      }),
      async (c) => {
        const { user } = c.var;
        const { email } = c.req.valid('json');
        if (email === user.email) {
          const message = accountMessages.settings.emailSame;
          return invalidInput(c, [{ path: 'email', message }], 'same');
        }
        const taken = await deps.rateLimits.takeSteps([
          [[emailChanges, user.userId]],
          [[emailChangesTo, mailboxOf(email)]],
        ]);
        if (!taken.allowed) {
          return tooManyRequests(c, taken.retryAfterSeconds, accountMessages.limits.emails);
        }
        const asked = await startEmailChange(deps, user, email);
        if (asked !== 'requested') return refuse(c, asked);
        if (isFormPost(c)) return c.redirect(`${page}#email-sent`, 303);
        return c.json({ accepted: true } satisfies AcceptedReply, 202);
      },
    )
    .post(
      '/change-email',
      describeEndpoint({
        summary: 'Confirm a new email address with the token of its email',
        replies: {
          200: {
            description:
              'Changed. In a browser where the user is signed in, the response has the user.',
            schema: v.union([sessionReply, emailChangedReply]),
          },
        },
        problems: ['dead_link'],
        session: 'optional',
      }),
      formPost(page),
      input(confirmation, { example: { token: 'token' }, noticePrefix: 'email-' }),
      async (c) => {
        const changed = await changeEmail(deps, c.req.valid('json').token);
        if (!changed) return problem(c, 'dead_link', accountMessages.settings.emailDeadLink);
        // The link may be opened in another browser.
        const isSignedIn = (await findUser(c, deps))?.userId === changed.userId;
        if (isFormPost(c)) return c.redirect(`${isSignedIn ? page : '/auth'}#email-changed`, 303);
        if (!isSignedIn) return c.json({ changed: true } satisfies EmailChangedReply);
        return c.json({ user: getUser(deps, changed.userId) } satisfies SessionReply);
      },
    )
    .post(
      '/cancel-email-change',
      describeEndpoint({
        summary: 'Cancel a change of the email address with the token sent to the old address',
        replies: { 200: { description: 'Canceled.', schema: emailChangeCanceledReply } },
        problems: ['dead_link'],
      }),
      formPost(forgotPage),
      input(confirmation, { example: { token: 'token' } }),
      async (c) => {
        const isCanceled = await cancelEmailChange(deps, c.req.valid('json').token);
        if (isFormPost(c)) {
          return c.redirect(isCanceled ? `${forgotPage}#change-canceled` : cannotCancel, 303);
        }
        if (isCanceled) return c.json({ canceled: true } satisfies EmailChangeCanceledReply);
        return problem(c, 'dead_link', accountMessages.settings.emailCancelDeadLink.description);
      },
    );
}

/** For forms with one field, after their prefix. */
const requiredField = (issues: readonly InputIssue[]): string | undefined =>
  requiredNotice(issues) && 'required';

/** Only shows a button, so that programs that follow links change nothing. */
export const emailChangePage =
  (deps: Deps): FindPage =>
  (c) => {
    const token = c.req.query('token') ?? '';
    const change = findEmailChange(deps.db, token, deps.clock.now());
    if (!change) return c.redirect(`${page}#email-dead-link`, 303);
    return { kind: 'emailChange', token, email: change.newEmail };
  };

export const emailChangeCancelPage =
  (deps: Deps): FindPage =>
  (c) => {
    const token = c.req.query('token') ?? '';
    const change = findEmailChangeToCancel(deps.db, token, deps.clock.now());
    if (!change) return c.redirect(cannotCancel, 303);
    return { kind: 'emailChangeCancel', token, email: change.newEmail };
  };

export function deviceRoutes(deps: Deps) {
  const { createHandlers } = createFactory<AppEnv>();
  const requireUser = signedIn(deps, signInFirst);

  const endOne = createHandlers(
    describeEndpoint({
      summary: 'Sign a device out',
      replies: { 204: { description: 'Signed out.' } },
      problems: ['not_found'],
    }),
    formPost(page),
    requireUser,
    async (c) => {
      const { user } = c.var;
      const id = c.req.param('id') ?? '';
      // The same for other users' sessions and unknown ones.
      const result = await deps.sessions.endOne(user, id);
      if (result === 'not_signed_in') return signInFirst(c);
      if (result === 'not_found') {
        return problem(c, 'not_found', accountMessages.settings.noSuchDevice);
      }
      if (id === user.session.id) setCookies(c, await deps.sessions.end(undefined));
      return isFormPost(c) ? c.redirect(`${page}#device-ended`, 303) : c.body(null, 204);
    },
  );

  const endOthers = createHandlers(
    describeEndpoint({
      summary: 'Sign all other devices out',
      replies: { 204: { description: 'Signed out.' } },
    }),
    formPost(page),
    requireUser,
    async (c) => {
      if (!(await deps.sessions.endOthers(c.var.user))) return signInFirst(c);
      return isFormPost(c) ? c.redirect(`${page}#devices-ended`, 303) : c.body(null, 204);
    },
  );

  return (
    new Hono<AppEnv>()
      .get(
        '/',
        describeEndpoint({
          summary: 'List the devices where the user is signed in',
          replies: { 200: { description: 'The latest first.', schema: deviceList } },
        }),
        requireUser,
        (c) => c.json({ devices: deps.sessions.list(c.var.user) } satisfies DeviceList),
      )
      .delete('/', ...endOthers)
      .delete('/:id', ...endOne)
      // For forms without JavaScript.
      .post('/end-others', ...endOthers)
      .post('/:id/end', ...endOne)
  );
}

export function accountDataRoutes(deps: Deps) {
  const remove = createFactory<AppEnv>().createHandlers(
    describeEndpoint({
      summary: 'Delete the account',
      description: 'Drafts are deleted; `posts` decides what happens to published posts.',
      replies: { 204: { description: 'Deleted.' } },
    }),
    formPost(page),
    recentSignIn(deps, signInFirst),
    input(accountDeletion, { example: { posts: 'keep' }, noticePrefix: 'deletion-' }),
    async (c) => {
      const deleted = await deleteAccount(deps, c.var.user, c.req.valid('json'));
      if (deleted !== 'deleted') return refuse(c, deleted);
      await clearCookies(c, deps);
      return isFormPost(c) ? c.redirect('/auth#account-deleted', 303) : c.body(null, 204);
    },
  );

  return (
    new Hono<AppEnv>()
      .get(
        '/export',
        describeEndpoint({
          summary: 'Download all data of the account',
          description: 'Visitors who open a link to it are redirected to the sign-in page.',
          replies: {
            200: { description: 'A ZIP archive.', contentType: 'application/zip' },
            303: { description: 'To the sign-in page, for visitors who opened a link.' },
          },
          problems: ['too_many_requests'],
        }),
        signedIn(deps, signInFirst),
        async (c) => {
          const { userId } = c.var.user;
          const taken = await deps.rateLimits.takeForRead(exports, userId);
          if (!taken.allowed) {
            return tooManyRequests(c, taken.retryAfterSeconds, accountMessages.limits.accounts);
          }
          const day = toIso(deps.clock.now()).slice(0, 10);
          return c.body(exportAccount(deps, userId), 200, {
            'Content-Type': 'application/zip',
            'Content-Disposition': `attachment; filename="${company.domain}-${day}.zip"`,
          });
        },
      )
      .delete('/', ...remove)
      // For forms without JavaScript.
      .post('/delete', ...remove)
  );
}

/** Redirects navigations and forms without JavaScript. */
const signInFirst = (c: AppContext): Response =>
  isFormPost(c) || c.req.header('Sec-Fetch-Mode') === 'navigate'
    ? redirectToSignIn(c, page)
    : notSignedIn(c);

const refuse = (c: AppContext, { refused }: SessionRefusal): Response =>
  refused === 'not_signed_in' ? signInFirst(c) : recentSignInRequired(c);
