import { imageField, imageMessages, refusalMessages } from '@app/contract/images';
import { limits } from '@app/contract/limits';
import { serverMessages } from '@app/contract/messages';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { type BodyDeps, createUploadReader } from '../server/body.ts';
import { clientAddress } from '../server/client-address.ts';
import type { AppContext } from '../server/context.ts';
import type { DiskSpace } from '../server/health/disk-space.ts';
import { fileInput, invalidInput } from '../server/input.ts';
import { problem } from '../server/problem.ts';
import { tooManyRequests } from '../server/rate-limits/middleware.ts';
import type { ImageFailure, ImageProcessor } from './image-processor.ts';

interface UserVariables {
  Variables: { user: { userId: string; role: 'member' | 'staff' } };
}

/**
 * Reads an uploaded image. Concurrent uploads are limited per account and per address. Must come
 * after `signedIn`.
 */
export function imageInput(deps: BodyDeps & Parameters<typeof clientAddress>[1]) {
  const readUpload = createUploadReader(deps);
  return fileInput({
    field: imageField,
    maxBytes: limits.imageBytes,
    tooLarge: imageMessages.tooLarge,
    read(c: Context<UserVariables>, uploadLimits) {
      const { userId } = c.var.user;
      const address = clientAddress(c, deps);
      return readUpload(c, address === null ? [userId] : [userId, address], uploadLimits);
    },
  });
}

interface UploadDeps {
  images: Pick<ImageProcessor, 'refuse'>;
  diskSpace: DiskSpace;
}

/** Refuses an upload before it is received if it could not be processed or stored now. */
export const unlessBusy = ({ images, diskSpace }: UploadDeps) =>
  createMiddleware<UserVariables>(async (c, next) => {
    const { userId, role } = c.var.user;
    if (diskSpace.isShort(role)) {
      return problem(c, 'busy', serverMessages.noSpace, { headers: { 'Retry-After': '60' } });
    }
    const failure = images.refuse(userId);
    return failure ? refuseImage(c, failure) : next();
  });

export function refuseImage(c: AppContext, failure: ImageFailure): Response {
  switch (failure.refused) {
    case 'busy': {
      const headers = { 'Retry-After': String(failure.retryAfterSeconds) };
      return problem(c, 'busy', imageMessages.busy, { headers });
    }
    case 'too-many-at-once':
      return tooManyRequests(c, failure.retryAfterSeconds, imageMessages.tooManyAtOnce);
    case 'time-spent':
      return tooManyRequests(c, failure.retryAfterSeconds, (seconds) =>
        imageMessages.timeSpent(Math.ceil(seconds / 60)),
      );
    default: {
      const message = refusalMessages[failure.refused];
      return invalidInput(c, [{ path: imageField, message }], failure.refused);
    }
  }
}
