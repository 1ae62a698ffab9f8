import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { htmlBody } from './payloads.ts';

interface HtmlPost {
  slug: string;
  payload: string;
}

/** Writes a Markdown file with YAML front matter. JSON is valid YAML. */
export function writeMarkdown(
  folder: string,
  slug: string,
  values: Readonly<Record<string, unknown>>,
  text: string,
): void {
  const head = Object.entries(values).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  writeFileSync(join(folder, `${slug}.md`), `---\n${head.join('\n')}\n---\n\n${text}\n`);
}

export function writeFolder(path: string): string {
  mkdirSync(path);
  return path;
}

/** Writes drafts, because readers' pages have their own tests. */
export function writeGhost(file: string, posts: readonly HtmlPost[]): void {
  const rows = posts.map(({ slug, payload }) => ({
    id: slug,
    slug,
    title: payload,
    html: htmlBody(payload),
    custom_excerpt: payload,
    feature_image: payload,
    status: 'draft',
  }));
  const tags = posts.map(({ slug, payload }) => ({ id: slug, name: payload }));
  const ofPosts = posts.map(({ slug }) => ({ post_id: slug, tag_id: slug }));
  writeFileSync(
    file,
    JSON.stringify({ db: [{ data: { posts: rows, tags, posts_tags: ofPosts } }] }),
  );
}

/** Leaves out what XML 1.0 does not allow, like WordPress. */
const cdata = (text: string): string => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what it removes
  const allowed = text.replace(/[\0-\x08\v\f\x0E-\x1F\uFFFE\uFFFF]/g, '');
  return `<![CDATA[${allowed.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
};

/** Writes drafts, too. */
export function writeWordPress(file: string, posts: readonly HtmlPost[]): void {
  const items = posts.map(({ slug, payload }, index) => {
    const elements = {
      title: payload,
      'content:encoded': htmlBody(payload),
      'excerpt:encoded': payload,
      'wp:post_id': String(index + 1),
      'wp:post_name': slug,
      'wp:status': 'draft',
      'wp:post_type': 'post',
    };
    const fields = Object.entries(elements).map(
      ([name, text]) => `<${name}>${cdata(text)}</${name}>`,
    );
    return `<item>${fields.join('')}<category domain="post_tag" nicename="a">${cdata(payload)}</category></item>`;
  });
  writeFileSync(
    file,
    `<?xml version="1.0"?><rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"><channel><wp:base_blog_url>https://old.example</wp:base_blog_url>${items.join('\n')}</channel></rss>`,
  );
}
