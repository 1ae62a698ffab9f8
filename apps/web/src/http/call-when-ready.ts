import { type ApiResult, callApi, type Method } from './call-api.ts';
import { pause, waitBeforeRetry } from './retry.ts';

const timeout = 20_000;

const maxWait = 20_000;

/**
 * Calls the API and retries while it cannot store anything (503), respecting Retry-After. Does not
 * retry after other failures: a sign-in must not be sent after the user has left.
 */
export const callWhenReady = async <Value>(
  method: Method,
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
