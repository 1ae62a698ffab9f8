import { plainExcerpt } from '@app/contract/blog/plain-excerpt';
import { llms } from '@app/site/pages/llms';
import type { APIRoute } from 'astro';
import { pageData } from '../../renderer/page-data.ts';
import { textResponse } from '../head/text-response.ts';

export const prerender = false;

/** Escapes text for a Markdown link or list item. */
const plain = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\[\]<>`*_]/g, (character) => `\\${character}`);

/** /llms.txt (llmstxt.org). */
export const GET: APIRoute = ({ locals }) => {
  const { origin, page } = pageData(locals, 'llms');
  const posts = {
    heading: llms.latestPosts,
    links: page.posts.map(({ slug, title, excerpt }) => ({
      label: plain(title),
      path: `/blog/${slug}.md`,
      about: plain(plainExcerpt(excerpt)),
    })),
  };
  const sections = [...llms.sections, ...(posts.links.length > 0 ? [posts] : []), llms.optional];
  return textResponse([
    `# ${llms.title}`,
    '',
    `> ${llms.summary}`,
    '',
    ...llms.facts.map((fact) => `- ${fact}`),
    ...sections.flatMap(({ heading, links }) => [
      '',
      `## ${heading}`,
      '',
      ...links.map(({ label, path, about }) => `- [${label}](${origin}${path}): ${about}`),
    ]),
  ]);
};
