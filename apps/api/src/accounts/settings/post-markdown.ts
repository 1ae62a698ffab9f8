import type { blogPosts } from '@app/db/schema/blog';

type PostRow = Pick<
  typeof blogPosts.$inferSelect,
  'title' | 'slug' | 'published' | 'excerpt' | 'coverImage' | 'content' | 'createdAt' | 'updatedAt'
>;

/** Markdown with front matter. Values are JSON, which is valid YAML (YAML 1.2 §1.3). */
export function postMarkdown({ content, createdAt, updatedAt, ...post }: PostRow): string {
  const frontMatter = {
    title: post.title,
    slug: post.slug,
    published: post.published,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    excerpt: post.excerpt,
    coverImage: post.coverImage,
  };
  const lines = Object.entries(frontMatter).map(
    ([name, value]) => `${name}: ${JSON.stringify(value)}`,
  );
  return `---\n${lines.join('\n')}\n---\n\n${content}\n`;
}
