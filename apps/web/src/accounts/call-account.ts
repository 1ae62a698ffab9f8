import { callApi } from '../http/call-api.ts';

/** How long an answer may take, in milliseconds. */
const patience = 20_000;

/** One of the calls of /api/auth, which an answer is waited for: nothing is sent again by itself. */
export const callAccount = <Value>(name: string, body: object) =>
  callApi<Value>('POST', `/api/auth/${name}`, body, { signal: AbortSignal.timeout(patience) });
