import type { SessionReply } from '@app/contract/accounts/sign-in';
import { callApi, forgetSignedIn, type Outcome } from '../../http/call-api.ts';
import { rememberAccount } from './remembered-account.ts';

let asked: Promise<Outcome<SessionReply>> | undefined;

/**
 * Asks the API who is signed in, once a page view: the readable cookie may outlive the session.
 * What the browser remembered is set right by the answer.
 */
export const askWhoIsSignedIn = (): Promise<Outcome<SessionReply>> => {
  asked ??= ask();
  return asked;
};

/** For a page that comes back from the back/forward cache, which is another view of it. */
export const askAgain = (): void => {
  asked = ask();
};

const ask = async (): Promise<Outcome<SessionReply>> => {
  const reply = await callApi<SessionReply>('GET', '/api/auth/session');
  if (!reply.ok) return reply;
  if (reply.value.user) void rememberAccount(reply.value.user);
  else forgetSignedIn();
  return reply;
};
