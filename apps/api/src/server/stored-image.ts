import type { AppContext } from './context.ts';
import { describeEndpoint } from './describe-endpoint.ts';
import { imageHeaders } from './security-headers.ts';

type ImageType = 'image/avif' | 'image/webp';

export const describeImage = (summary: string, contentType: ImageType) =>
  describeEndpoint({
    summary,
    replies: {
      200: { description: 'The image.', contentType },
      404: { description: 'There is no such image.', contentType: 'text/plain' },
    },
  });

/** Answers with an image that this program encoded. Its name is never reused for another image. */
export function answerImage(c: AppContext, bytes: Buffer | null, type: ImageType): Response {
  if (!bytes) return c.text('There is no such image.', 404);
  return c.body(new Uint8Array(bytes), 200, {
    'Content-Type': type,
    ...imageHeaders,
    'Cache-Control': 'public, max-age=31536000, immutable',
  });
}
