import { withFrontMatter } from '@app/contract/blog/front-matter';
import { layout } from '@app/site/layout';
import type { APIRoute } from 'astro';
import { pageData } from '../../../renderer/page-data.ts';

export const prerender = false;

/** The Markdown of a post, or its new URL. */
export const GET: APIRoute = ({ locals }) => {
  const { origin, page } = pageData(locals, 'postMarkdown', 'movedMarkdown');
  const text =
    page.kind === 'movedMarkdown'
      ? `# ${layout.moved}\n\n<${origin}/blog/${page.to}.md>\n`
      : withFrontMatter(
          {
            title: page.post.title,
            date: page.post.createdAt,
            author: page.post.author.name,
            ...(page.post.tags.length > 0 && { tags: page.post.tags.map(({ name }) => name) }),
            url: `${origin}/blog/${page.post.slug}`,
          },
          page.post.content,
        );
  return new Response(text, { headers: { 'content-type': 'text/markdown; charset=utf-8' } });
};
