import { withFrontMatter } from '@app/contract/blog/front-matter';
import type { Post } from '@app/contract/blog/posts';
import { layout } from '@app/site/layout';
import { markdownPath, postPath } from './post-paths.ts';

/** The Markdown version of a post's page. */
export const markdownOf = (
  { title, createdAt, author, tags, slug, content }: Post,
  publicUrl: string,
): string =>
  withFrontMatter(
    {
      title,
      date: createdAt,
      author: author.name,
      ...(tags.length > 0 && { tags: tags.map(({ name }) => name) }),
      url: `${publicUrl}${postPath(slug)}`,
    },
    content,
  );

/** For a static host, at an old slug. */
export const movedMarkdown = (to: string, publicUrl: string): string =>
  `# ${layout.moved}\n\n<${publicUrl}${markdownPath(to)}>\n`;
