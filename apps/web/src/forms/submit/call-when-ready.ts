import { type ApiResult, callApi } from '../../http/call-api.ts';
import { pause, waitBeforeRetry } from './retry.ts';

/** How long an answer may take, in milliseconds. */
const timeout = 20_000;

/** How long somebody waits at a form for a server that is not ready, in milliseconds. */
const maxWait = 20_000;

/**
 * Calls the API for somebody who waits at a form. While it cannot store anything (503) the call is
 * made again, never sooner than it asks for: nothing came of it. Nothing else is sent again by
 * itself: a sign-in is not to go out after its person has left.
 */
export const callWhenReady = async <Value>(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<ApiResult<Value>> => {
  const { signal } = new AbortController();
  let waited = 0;
  for (let tries = 0; ; tries += 1) {
    const reply = await callApi<Value>(method, path, body, {
      signal: AbortSignal.timeout(timeout),
    });
    if (reply.ok || reply.problem?.status !== 503) return reply;
    const wait = waitBeforeRetry(reply, tries) ?? 0;
    waited += wait;
    if (waited > maxWait) return reply;
    await pause(wait, signal, false);
  }
};
