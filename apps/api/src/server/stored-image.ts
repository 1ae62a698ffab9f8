import type { AppContext } from './context.ts';
import { describeEndpoint, notModified } from './describe-endpoint.ts';
import { imageHeaders } from './security-headers.ts';
import { isFresh } from './shared-body.ts';

type ImageType = 'image/avif' | 'image/webp';

export const describeImage = (summary: string, contentType: ImageType) =>
  describeEndpoint({
    summary,
    replies: {
      200: { description: 'The image.', contentType },
      ...notModified,
      404: { description: 'There is no such image.', contentType: 'text/plain' },
    },
  });

/** Answers with an image that this program encoded. Its name is never reused for another image. */
export function answerImage(c: AppContext, bytes: Buffer | null, type: ImageType): Response {
  if (!bytes) return c.text('There is no such image.', 404);
  // The URL identifies the bytes.
  const etag = `"${c.req.param('name')}"`;
  const headers = {
    ETag: etag,
    ...imageHeaders,
    'Cache-Control': 'public, max-age=31536000, immutable',
  };
  if (isFresh(c, etag)) return c.body(null, 304, headers);
  return c.body(new Uint8Array(bytes), 200, { ...headers, 'Content-Type': type });
}
