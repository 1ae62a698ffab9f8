import { signedInCookie } from '@app/contract/accounts/signed-in-cookie';
import type { Problem } from '@app/contract/problems';
import { readRetryAfter } from './retry-after.ts';

/** What came of a call. */
export type ApiResult<Value> = { ok: true; value: Value } | Failure;

export interface Failure {
  ok: false;
  /** Null when no answer of the API arrived at all. */
  problem: Problem | null;
  /** How long the API asks to be left alone, in seconds (RFC 9110 §10.2.3); null when it does not. */
  retryAfter: number | null;
}

interface CallOptions extends Pick<RequestInit, 'signal' | 'keepalive'> {
  headers?: Record<string, string>;
}

/**
 * Calls the API with a JSON body and turns every way it can fail into a value.
 * `Value` is the contract's type of the answer; the API's own tests hold it to that.
 */
export const callApi = async <Value>(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  { headers, ...options }: CallOptions = {},
): Promise<ApiResult<Value>> => {
  try {
    const response = await fetch(path, {
      ...options,
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (response.ok) {
      const empty = response.status === 204;
      return { ok: true, value: (empty ? undefined : await response.json()) as Value };
    }
    const retryAfter = readRetryAfter(response.headers.get('retry-after'));
    if (!response.headers.get('content-type')?.startsWith('application/problem+json')) {
      return { ok: false, problem: null, retryAfter };
    }
    const problem = (await response.json()) as Problem;
    if (problem.code === 'not_signed_in') markSessionEnded();
    return { ok: false, problem, retryAfter };
  } catch {
    return { ok: false, problem: null, retryAfter: null };
  }
};

/**
 * The session ended while the page was open. The page stays, with what was typed into it, for
 * whoever tried something there is told: see accounts/signed-out.ts.
 */
export const markSessionEnded = (): void => {
  stayWhenSignedOut();
  forgetSignedIn();
};

/** From here on the page is only left for the sign-out of this tab. */
export const stayWhenSignedOut = (): void => {
  const { dataset } = document.documentElement;
  const { signedOutTo } = dataset;
  if (signedOutTo !== undefined) dataset['loggedOutTo'] ??= signedOutTo;
  delete dataset['signedOutTo'];
};

/** Somebody has signed out here, or has no account any more: the page leads where it does then. */
export const redirectSignedOut = (): void => {
  const { dataset } = document.documentElement;
  const { loggedOutTo } = dataset;
  if (loggedOutTo !== undefined) dataset['signedOutTo'] = loggedOutTo;
  forgetSignedIn();
};

/**
 * Nobody is signed in any more: what account-menu/remembered-account.ts keeps goes, and
 * head/first-paint.ts shows the face for visitors, in all tabs.
 */
export const forgetSignedIn = (): void => {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
  document.cookie = `${signedInCookie}=; path=/; max-age=0`;
  try {
    localStorage.removeItem('account');
  } catch {
    // What may not be stored is not there.
  }
  // The browser tells the other tabs, but not this one.
  dispatchEvent(new Event('storage'));
};
