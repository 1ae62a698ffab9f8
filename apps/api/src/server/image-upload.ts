import {
  type ImageRefusal,
  imageField,
  imageMessages,
  refusalMessages,
} from '@app/contract/images';
import { limits } from '@app/contract/limits';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { type BodyDeps, createUploadReader } from './body.ts';
import { clientAddress } from './client-address.ts';
import type { AppContext, AppEnv } from './context.ts';
import { fileInput, invalidInput } from './input.ts';
import { problem } from './problem.ts';

type UserContext = Context<{ Variables: { user: { userId: string } } }>;

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
    read(c: UserContext, uploadLimits) {
      const { userId } = c.var.user;
      const address = clientAddress(c, deps);
      return readUpload(c, address === null ? [userId] : [userId, address], uploadLimits);
    },
  });
}

/** Refuses an upload before it is received if the server cannot process it now. */
export const unlessBusy = (images: { isBusy: () => boolean }) =>
  createMiddleware<AppEnv>(async (c, next) => (images.isBusy() ? tooBusy(c) : next()));

export const tooBusy = (c: AppContext): Response =>
  problem(c, 'busy', imageMessages.busy, { headers: { 'Retry-After': '5' } });

export const refuseImage = (c: AppContext, reason: ImageRefusal): Response =>
  invalidInput(c, [{ path: imageField, message: refusalMessages[reason] }], reason);
