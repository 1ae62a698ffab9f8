import { signedInCookie } from '@app/contract/accounts/signed-in-cookie';
import type { Problem } from '@app/contract/problems';
import { readRetryAfter } from './retry-after.ts';

export type ApiResult<Value> = { ok: true; value: Value } | Failure;

export interface Failure {
  ok: false;
  /** Null if the API sent no problem document, or no response at all. */
  problem: Problem | null;
  /** From Retry-After (RFC 9110 §10.2.3), in seconds; null if absent. */
  retryAfter: number | null;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface CallOptions extends Pick<RequestInit, 'signal' | 'keepalive'> {
  headers?: Record<string, string>;
}

/** Sends a JSON request. Never throws. `Value` is the contract's response type. */
export const callApi = async <Value>(
  method: Method,
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

export const isSignedIn = (): boolean => document.documentElement.classList.contains('signed-in');

/**
 * Call this when the session ended while the page was open. Does not redirect, to keep typed text.
 */
export const markSessionEnded = (): void => {
  stayWhenSignedOut();
  forgetSignedIn();
};

/** From now on, only a sign-out in this tab redirects. */
export const stayWhenSignedOut = (): void => {
  const { dataset } = document.documentElement;
  const { signedOutTo } = dataset;
  if (signedOutTo !== undefined) dataset['loggedOutTo'] ??= signedOutTo;
  delete dataset['signedOutTo'];
};

/** For a sign-out or an account deletion in this tab. @returns whether the page redirects */
export const redirectSignedOut = (): boolean => {
  stayWhenSignedOut();
  forgetSignedIn();
  const { loggedOutTo } = document.documentElement.dataset;
  if (loggedOutTo !== undefined) location.replace(loggedOutTo);
  return loggedOutTo !== undefined;
};

/** Removes the remembered account. head/head-script.ts then updates all tabs. */
export const forgetSignedIn = (): void => {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
  document.cookie = `${signedInCookie}=; path=/; max-age=0`;
  try {
    localStorage.removeItem('account');
  } catch {
    // Storage is blocked.
  }
  // Browsers notify only other tabs.
  dispatchEvent(new Event('storage'));
};
