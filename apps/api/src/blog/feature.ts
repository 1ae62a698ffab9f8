import { limits } from '@app/contract/limits';
import type { Feature } from '../feature.ts';
import type { Deps } from './deps.ts';
import { createBlogPages } from './published-pages.ts';
import { blogPages, postRoutes } from './routes.ts';

export const blog: Feature<Deps> = {
  name: 'blog',
  routes: (deps) => ({ '/api/posts': postRoutes(deps) }),
  maxBodyBytes: { '/api/posts': limits.postBodyBytes },
  personalPages: blogPages,
  publishedPages: createBlogPages,
};
