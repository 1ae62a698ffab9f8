import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { astroVersion } from '../report/circumstances.ts';
import { installPeer } from './npm-peer.ts';
import {
  type GeneratedSite,
  linkModules,
  page,
  runProgram,
  type SiteGenerator,
  writeFiles,
  writePosts,
} from './site-generator.ts';

export const component = (frontMatter: string, head: string, body: string) =>
  `---\n${frontMatter}\n---\n${page(head, body)}`;

const latest = `const posts = (await getCollection('blog'))
  .sort((a, b) => b.data.date.getTime() - a.data.date.getTime())
  .slice(0, 20);`;

const files = {
  'package.json': '{"private":true,"type":"module"}',
  'astro.config.mjs': `import { defineConfig } from 'astro/config';
export default defineConfig({
  site: 'https://example.com',
  build: { format: 'file' },
  // Not in the installed node_modules, which all runs share.
  cacheDir: './cache',
});
`,
  'src/content.config.ts': `import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';
import { z } from 'astro/zod';
const schema = z.object({ title: z.string(), description: z.string(), date: z.coerce.date() });
export const collections = {
  blog: defineCollection({ loader: glob({ pattern: '*.md', base: './content/blog' }), schema }),
};
`,
  'src/pages/blog/[slug].astro': component(
    `import { getCollection, render } from 'astro:content';
export async function getStaticPaths() {
  const posts = await getCollection('blog');
  return posts.map((post) => ({ params: { slug: post.id }, props: { post } }));
}
const { title, description, date } = Astro.props.post.data;
const { Content } = await render(Astro.props.post);`,
    '<title>{title}</title><meta name="description" content={description} />',
    '<article><h1>{title}</h1><time>{date.toISOString()}</time><Content /></article>',
  ),
  'src/pages/blog.astro': component(
    `import { getCollection } from 'astro:content';\n${latest}`,
    '<title>Blog</title>',
    '<ul>{posts.map(({ id, data }) => <li><a href={"/blog/" + id}>{data.title}</a><p>{data.description}</p></li>)}</ul>',
  ),
  'src/pages/rss.xml.js': `import rss from '@astrojs/rss';
import { getCollection } from 'astro:content';
export async function GET({ site }) {
  ${latest}
  const items = posts.map(({ id, data }) => ({
    title: data.title,
    description: data.description,
    pubDate: data.date,
    link: '/blog/' + id,
  }));
  return rss({ title: 'Blog', description: 'Blog', site, items });
}
`,
};

export const astro: SiteGenerator = { name: `Astro ${astroVersion()}`, create };

async function create(folder: string, posts: number): Promise<GeneratedSite> {
  const installed = await installPeer('astro', {
    astro: astroVersion(),
    '@astrojs/rss': '4.0.19',
  });
  mkdirSync(folder, { recursive: true });
  linkModules(installed, folder);
  writeFiles(folder, files);
  writePosts(join(folder, 'content/blog'), posts);
  const program = join(installed, 'node_modules/astro/bin/astro.mjs');
  const env = { ASTRO_TELEMETRY_DISABLED: '1' };
  return {
    name: `Astro ${astroVersion()}`,
    build: () => runProgram(process.execPath, [program, 'build', '--silent'], folder, env),
    source: (n) => join(folder, `content/blog/post-${n}.md`),
    output: (n) => join(folder, `dist/blog/post-${n}.html`),
  };
}
