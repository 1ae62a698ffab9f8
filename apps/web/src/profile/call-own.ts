import { callApi } from '../http/call-api.ts';

/** How long an answer may take, in milliseconds. */
const patience = 20_000;

/** A call about the account of who is signed in: nothing is sent again by itself. */
export const callOwn = <Value>(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
) => callApi<Value>(method, path, body, { signal: AbortSignal.timeout(patience) });
