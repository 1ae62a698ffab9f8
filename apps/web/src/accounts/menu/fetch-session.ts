import type { SessionReply } from '@app/contract/accounts/sign-in';
import { type ApiResult, callApi, forgetSignedIn } from '../../http/call-api.ts';
import { rememberAccount } from './remembered-account.ts';

let request: Promise<ApiResult<SessionReply>> | undefined;

/** Fetched once per page view, because the readable cookie can outlive the session. */
export const fetchSession = (): Promise<ApiResult<SessionReply>> => {
  request ??= load();
  return request;
};

/** For a page restored from the back/forward cache, which is a new page view. */
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
