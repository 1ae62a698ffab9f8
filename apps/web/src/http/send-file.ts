import type { Problem } from '@app/contract/problems';
import { type ApiResult, markSessionEnded } from './call-api.ts';
import { readRetryAfter } from './retry-after.ts';

interface SendOptions {
  /** Receives the fraction sent, from 0 to 1. */
  onProgress: (fraction: number) => void;
  signal?: AbortSignal;
}

/**
 * Uploads a form with a file. Uses XMLHttpRequest, because fetch does not report upload progress.
 * Like `callApi`, it never throws. An aborted upload is a failure without a problem.
 */
export const sendFile = <Value>(
  method: 'POST' | 'PUT',
  path: string,
  body: FormData,
  { onProgress, signal }: SendOptions,
): Promise<ApiResult<Value>> =>
  new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open(method, path);
    request.responseType = 'json';
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      onProgress(total > 0 ? loaded / total : 0);
    });
    request.addEventListener('loadend', () => {
      signal?.removeEventListener('abort', abort);
      if (request.status >= 200 && request.status < 300) {
        resolve({ ok: true, value: request.response as Value });
        return;
      }
      const isProblem = request
        .getResponseHeader('content-type')
        ?.startsWith('application/problem+json');
      const problem = isProblem ? (request.response as Problem) : null;
      if (problem?.code === 'not_signed_in') markSessionEnded();
      const retryAfter = readRetryAfter(request.getResponseHeader('retry-after'));
      resolve({ ok: false, problem, retryAfter });
    });
    signal?.addEventListener('abort', abort);
    request.send(body);
  });
