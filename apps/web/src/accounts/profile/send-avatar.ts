import type { AvatarSaved } from '@app/contract/accounts/avatars';
import type { Problem } from '@app/contract/problems';
import { type ApiResult, markSessionEnded } from '../../http/call-api.ts';
import { readRetryAfter } from '../../http/retry-after.ts';

/**
 * Uploads a picture. Uses XMLHttpRequest because fetch has no upload progress.
 * @param onProgress receives the fraction sent, from 0 to 1
 */
export const sendAvatar = (
  body: FormData,
  onProgress: (fraction: number) => void,
): Promise<ApiResult<AvatarSaved>> =>
  new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('PUT', '/api/profile/avatar');
    request.responseType = 'json';
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      onProgress(total > 0 ? loaded / total : 0);
    });
    request.addEventListener('loadend', () => {
      if (request.status === 200) {
        resolve({ ok: true, value: request.response as AvatarSaved });
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
    request.send(body);
  });
