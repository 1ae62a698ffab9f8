import { getCollection } from 'astro:content';
import { type SamplePost, slugOf } from '@app/contract/blog/posts';
import { fillPlaceholders } from '../src/placeholders.ts';

/** Newest first. */
export async function readSamplePosts(): Promise<SamplePost[]> {
  const entries = await getCollection('samplePosts');
  return entries
    .toSorted((a, b) => b.data.createdAt.getTime() - a.data.createdAt.getTime())
    .map(({ id, data, body = '', filePath = id }) => {
      const fill = (text: string) => fillPlaceholders(text, filePath);
      return {
        slug: id,
        title: fill(data.title),
        excerpt: fill(data.excerpt),
        content: fill(body),
        createdAt: data.createdAt.toISOString(),
        authorName: fill(data.authorName),
        tags: data.tags.map((name) => ({ slug: slugOf(name), name })),
      };
    });
}
