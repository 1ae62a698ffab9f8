import { imageField } from '@app/contract/images';
import { limits } from '@app/contract/limits';
import type { Context } from 'hono';
import { type BodyDeps, createUploadReader } from './body.ts';
import { clientAddress } from './client-address.ts';
import { fileInput } from './input.ts';

type UserContext = Context<{ Variables: { user: { userId: string } } }>;

/**
 * Reads an uploaded image. Simultaneous uploads are limited per account and per address. After
 * `signedIn`.
 */
export function imageInput(
  deps: BodyDeps & Parameters<typeof clientAddress>[1],
  { tooLarge }: { tooLarge: string },
) {
  const readUpload = createUploadReader(deps);
  return fileInput({
    field: imageField,
    maxBytes: limits.imageBytes,
    tooLarge,
    read(c: UserContext, uploadLimits) {
      const { userId } = c.var.user;
      const address = clientAddress(c, deps);
      return readUpload(c, address === null ? [userId] : [userId, address], uploadLimits);
    },
  });
}
