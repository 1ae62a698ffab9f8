import type { SessionReply } from '@app/contract/accounts/sign-in';
import { type ApiResult, callApi, forgetSignedIn } from '../../http/call-api.ts';
import { rememberAccount } from './remembered-account.ts';

let request: Promise<ApiResult<SessionReply>> | undefined;

/**
 * Asks the API who is signed in, once a page view: the readable cookie may outlive the session.
 * What the browser remembered is set right by the answer.
 */
export const fetchSession = (): Promise<ApiResult<SessionReply>> => {
  request ??= load();
  return request;
};

/** For a page that comes back from the back/forward cache, which is another view of it. */
export const refetchSession = (): void => {
  request = load();
};

const load = async (): Promise<ApiResult<SessionReply>> => {
  const reply = await callApi<SessionReply>('GET', '/api/auth/session');
  if (!reply.ok) return reply;
  if (reply.value.user) void rememberAccount(reply.value.user);
  else forgetSignedIn();
  return reply;
};
