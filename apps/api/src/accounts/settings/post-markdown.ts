import type { blogPosts } from '@app/db/schema/blog';

type PostRow = Pick<
  typeof blogPosts.$inferSelect,
  'title' | 'slug' | 'published' | 'excerpt' | 'coverImage' | 'content' | 'createdAt' | 'updatedAt'
>;

/**
 * A post as site generators take it: Markdown with its facts in front. Each value is JSON, which
 * is YAML too (YAML 1.2 §1.3): whatever a title holds, it stays a title.
 */
export function postMarkdown({ content, createdAt, updatedAt, ...post }: PostRow): string {
  const facts = {
    title: post.title,
    slug: post.slug,
    published: post.published,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    excerpt: post.excerpt,
    coverImage: post.coverImage,
  };
  const lines = Object.entries(facts).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `---\n${lines.join('\n')}\n---\n\n${content}\n`;
}
