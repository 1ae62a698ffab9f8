import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';
import { z } from 'astro/zod';

/** What the owner writes as Markdown; packages/site/README.md says how. */
export const collections = {
  samplePosts: defineCollection({
    loader: glob({ pattern: '*.md', base: '../../packages/site/sample-posts' }),
    schema: z.strictObject({
      title: z.string(),
      excerpt: z.string(),
      createdAt: z.date(),
      authorName: z.string(),
    }),
  }),
};
