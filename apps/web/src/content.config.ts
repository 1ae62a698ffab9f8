import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';
import { z } from 'astro/zod';

/** The owner's Markdown files; see the README.md of the package. */
const folder = '../../packages/site';

export const collections = {
  legal: defineCollection({
    loader: glob({ pattern: '*.md', base: `${folder}/legal` }),
    schema: z.strictObject({
      title: z.string(),
      description: z.string(),
      lead: z.string(),
      updated: z.date(),
    }),
  }),
  samplePosts: defineCollection({
    loader: glob({ pattern: '*.md', base: `${folder}/sample-posts` }),
    schema: z.strictObject({
      title: z.string(),
      excerpt: z.string(),
      createdAt: z.date(),
      authorName: z.string(),
      tags: z.array(z.string()),
    }),
  }),
};
