import { accountMessages } from '@app/contract/accounts/messages';
import {
  accountDeletion,
  type DeviceList,
  emailChange,
  passwordChange,
} from '@app/contract/accounts/settings';
import { confirmation, type SessionReply } from '@app/contract/accounts/sign-in';
import { company } from '@app/site/company';
import { Hono } from 'hono';
import type { AppContext, AppEnv } from '../../server/context.ts';
import { invalidInput, noteFormPost, readInput } from '../../server/input.ts';
import type { FindPage } from '../../server/personal-pages.ts';
import { problem } from '../../server/problem.ts';
import {
  countReadRequest,
  countRequest,
  createRateLimit,
  tooManyRequests,
} from '../../server/rate-limits.ts';
import { redirectToSignIn } from '../../server/redirect-to-sign-in.ts';
import { listDevices } from '../sessions/devices.ts';
import { isRecentSignIn } from '../sessions/live-session.ts';
import {
  clearCookies,
  findUser,
  recentSignInRequired,
  setCookies,
  startSession,
} from '../sessions/session-cookie.ts';
import type { SignedIn } from '../sessions/sessions.ts';
import { getUser } from '../sessions/user.ts';
import { findCommonPasswordIssue } from '../sign-in/common-passwords.ts';
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

const hour = 60 * 60;

/** The page of all forms here. Each form's notices begin with its own name there. */
const page = '/profile';

/** Where a new password is had, which whoever called a change off needs next. */
const forgotPage = '/auth/forgot';
const cannotCancel = `${forgotPage}#cannot-cancel`;

/** /api/auth: what somebody signs in with. */
export function credentialRoutes(deps: Deps) {
  const mails = {
    ofOne: createRateLimit(deps, { name: 'email-change', max: 5, seconds: hour }),
    // Whoever types it: nobody's mailbox is flooded from here.
    toAddress: createRateLimit(deps, { name: 'email-change-to', max: 3, seconds: 24 * hour }),
  };

  async function setPassword(c: AppContext): Promise<Response> {
    const user = await requireRecent(c, deps);
    if (user instanceof Response) return user;
    const input = readInput(c, passwordChange, { page, noticePrefix: 'password-' });
    if ('refusal' in input) return input.refusal;
    const common = await findCommonPasswordIssue(input.value.password);
    if (common) return invalidInput(c, [common], 'common');
    const changed = await changePassword(deps, user, input.value.password);
    if ('refused' in changed) return refuse(c, changed.refused);
    if (!(await startSession(c, deps, changed))) return signInFirst(c);
    if (isFormPost(c)) return c.redirect(`${page}#password-changed`, 303);
    return c.json({ user: await getUser(deps, user.userId) } satisfies SessionReply);
  }

  return (
    new Hono<AppEnv>()
      .put('/password', setPassword)
      // The same for a browser without scripts, whose forms can only POST.
      .post('/password', setPassword)
      .post('/email', async (c) => {
        const user = await requireRecent(c, deps);
        if (user instanceof Response) return user;
        const input = readInput(c, emailChange, { page, noticePrefix: 'email-' });
        if ('refusal' in input) return input.refusal;
        const { email } = input.value;
        if (email === user.email) {
          return invalidInput(c, [{ path: 'email', message: accountMessages.settings.emailSame }]);
        }
        for (const [limit, key] of [
          [mails.ofOne, user.userId],
          [mails.toAddress, email],
        ] as const) {
          const taken = await countRequest(deps, limit, key);
          if (!taken.allowed) return tooMany(c, taken, accountMessages.limits.mails);
        }
        const asked = await startEmailChange(deps, user, email);
        if (asked !== 'asked') return refuse(c, asked.refused);
        if (isFormPost(c)) return c.redirect(`${page}#email-sent`, 303);
        return c.json({ accepted: true }, 202);
      })
      .post('/change-email', async (c) => {
        const input = readInput(c, confirmation, { page, noticePrefix: 'email-' });
        if ('refusal' in input) return input.refusal;
        const changed = await changeEmail(deps, input.value.token);
        if (!changed) return problem(c, 'dead_link', accountMessages.settings.emailDeadLink);
        // The link may be opened in another browser than the one that asked for it.
        const isSignedIn = (await findUser(c, deps))?.userId === changed.userId;
        if (isFormPost(c)) return c.redirect(`${isSignedIn ? page : '/auth'}#email-changed`, 303);
        if (!isSignedIn) return c.json({ changed: true });
        return c.json({ user: await getUser(deps, changed.userId) } satisfies SessionReply);
      })
      .post('/cancel-email-change', async (c) => {
        const input = readInput(c, confirmation, { page: forgotPage });
        if ('refusal' in input) return input.refusal;
        const isCancelled = await cancelEmailChange(deps, input.value.token);
        if (isFormPost(c)) {
          return c.redirect(isCancelled ? `${forgotPage}#change-cancelled` : cannotCancel, 303);
        }
        if (isCancelled) return c.json({ cancelled: true });
        return problem(c, 'dead_link', accountMessages.settings.emailCancelDeadLink.description);
      })
  );
}

/** The page that the link to a new address opens. It only shows a button: programs that follow links change nothing. */
export const emailChangePage =
  (deps: Deps): FindPage =>
  (c) => {
    const token = c.req.query('token') ?? '';
    const change = findEmailChange(deps.db, token, deps.clock.now());
    if (!change) return c.redirect(`${page}#email-dead-link`, 303);
    return { kind: 'emailChange', token, email: change.newEmail };
  };

/** The page of the link that calls a change off, likewise. */
export const emailChangeCancelPage =
  (deps: Deps): FindPage =>
  (c) => {
    const token = c.req.query('token') ?? '';
    const change = findEmailChangeToCancel(deps.db, token, deps.clock.now());
    if (!change) return c.redirect(cannotCancel, 303);
    return { kind: 'emailChangeCancel', token, email: change.newEmail };
  };

/** /api/auth/sessions: where somebody is signed in. */
export function deviceRoutes(deps: Deps) {
  async function endOne(c: AppContext): Promise<Response> {
    const isForm = noteFormPost(c, page);
    const user = await requireUser(c, deps);
    if (user instanceof Response) return user;
    const id = c.req.param('id') ?? '';
    // Another's is not told from one that never was.
    const result = await deps.sessions.endOne(user, id);
    if (result === 'not_signed_in') return signInFirst(c);
    if (result === 'not_found') {
      return problem(c, 'not_found', accountMessages.settings.noSuchDevice);
    }
    if (id === user.session.id) setCookies(c, await deps.sessions.end(undefined));
    return isForm ? c.redirect(`${page}#device-ended`, 303) : c.body(null, 204);
  }

  async function endOthers(c: AppContext): Promise<Response> {
    const isForm = noteFormPost(c, page);
    const user = await requireUser(c, deps);
    if (user instanceof Response) return user;
    if (!(await deps.sessions.endOthers(user))) return signInFirst(c);
    return isForm ? c.redirect(`${page}#devices-ended`, 303) : c.body(null, 204);
  }

  return (
    new Hono<AppEnv>()
      .get('/', async (c) => {
        const user = await requireUser(c, deps);
        return user instanceof Response
          ? user
          : c.json({ devices: await listDevices(deps, user) } satisfies DeviceList);
      })
      .delete('/', endOthers)
      .delete('/:id', endOne)
      // The same two for a browser without scripts.
      .post('/end-others', endOthers)
      .post('/:id/end', endOne)
  );
}

/** /api/account: all that is kept of somebody, to take along or to delete. */
export function accountDataRoutes(deps: Deps) {
  const exports = createRateLimit(deps, { name: 'account-export', max: 10, seconds: hour });

  async function remove(c: AppContext): Promise<Response> {
    const user = await requireRecent(c, deps);
    if (user instanceof Response) return user;
    const input = readInput(c, accountDeletion, { page, noticePrefix: 'deletion-' });
    if ('refusal' in input) return input.refusal;
    const deleted = await deleteAccount(deps, user, input.value);
    if (deleted !== 'deleted') return refuse(c, deleted.refused);
    await clearCookies(c, deps);
    return isFormPost(c) ? c.redirect('/auth#account-deleted', 303) : c.body(null, 204);
  }

  return (
    new Hono<AppEnv>()
      .get('/export', async (c) => {
        const user = await requireUser(c, deps);
        if (user instanceof Response) return user;
        const taken = countReadRequest(deps, exports, user.userId);
        if (!taken.allowed) return tooMany(c, taken, accountMessages.limits.accounts);
        const day = new Date(deps.clock.now()).toISOString().slice(0, 10);
        return c.body(exportAccount(deps, user.userId), 200, {
          'Content-Type': 'application/zip',
          'Content-Disposition': `attachment; filename="${company.domain}-${day}.zip"`,
        });
      })
      .delete('/', remove)
      // The same for a browser without scripts.
      .post('/delete', remove)
  );
}

const isFormPost = (c: AppContext): boolean => c.get('formPage') !== undefined;

/** A form without scripts leads to where one signs in, and so does a link that was followed. */
const signInFirst = (c: AppContext): Response =>
  isFormPost(c) || c.req.header('Sec-Fetch-Mode') === 'navigate'
    ? redirectToSignIn(c, page)
    : problem(c, 'not_signed_in', accountMessages.settings.signInFirst);

/** Who is signed in, or the answer that refuses the request. */
const requireUser = async (c: AppContext, deps: Deps): Promise<SignedIn | Response> =>
  (await findUser(c, deps)) ?? signInFirst(c);

/** The same for a change that asks for a recent sign-in. */
async function requireRecent(c: AppContext, deps: Deps): Promise<SignedIn | Response> {
  noteFormPost(c, page);
  const user = await requireUser(c, deps);
  if (user instanceof Response || isRecentSignIn(user, deps.clock.now())) return user;
  return recentSignInRequired(c);
}

const refuse = (c: AppContext, reason: 'not_signed_in' | 'sign_in_again'): Response =>
  reason === 'not_signed_in' ? signInFirst(c) : recentSignInRequired(c);

const tooMany = (
  c: AppContext,
  { retryAfterSeconds }: { retryAfterSeconds: number },
  message: (retryAfterSeconds: number) => string,
): Response => tooManyRequests(c, retryAfterSeconds, message(retryAfterSeconds));
