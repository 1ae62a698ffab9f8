import type { FeedPost } from '@app/contract/blog/pages';
import type { APIRoute } from 'astro';
import { pageData } from '../../../renderer/page-data.ts';

/** @param mediaType without parameters, such as application/atom+xml */
export const feedEndpoint =
  (write: (origin: string, posts: readonly FeedPost[]) => string, mediaType: string): APIRoute =>
  ({ locals }) => {
    const { origin, page } = pageData(locals, 'feed');
    return new Response(write(origin, page.posts), {
      headers: { 'content-type': `${mediaType}; charset=utf-8` },
    });
  };
