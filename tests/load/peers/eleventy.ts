import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installPeer } from './npm-peer.ts';
import {
  type GeneratedSite,
  linkModules,
  page,
  runProgram,
  type SiteGenerator,
  type Watch,
  writeFiles,
  writePosts,
} from './site-generator.ts';

const version = '3.1.8';

const files = {
  'package.json': '{"private":true,"type":"module"}',
  'eleventy.config.js': `export default function (config) {
  config.addFilter('latest', (posts) => posts.slice(-20).reverse());
  return { dir: { input: 'content', output: 'public' } };
}
`,
  'content/blog/blog.json': JSON.stringify({
    layout: 'post.njk',
    tags: 'posts',
    permalink: '/blog/{{ page.fileSlug }}.html',
  }),
  'content/_includes/post.njk': page(
    '<title>{{ title }}</title><meta name="description" content="{{ description }}">',
    '<article><h1>{{ title }}</h1><time>{{ page.date.toISOString() }}</time>{{ content | safe }}</article>',
  ),
  'content/blog.njk': `---
permalink: /blog.html
---
${page(
  '<title>Blog</title>',
  '<ul>{% for post in collections.posts | latest %}<li><a href="{{ post.url }}">{{ post.data.title }}</a><p>{{ post.data.description }}</p></li>{% endfor %}</ul>',
)}`,
  'content/rss.njk': `---
permalink: /rss.xml
---
<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"><channel><title>Blog</title><link>https://example.com</link><description>Blog</description>
{% for post in collections.posts | latest %}<item><title>{{ post.data.title }}</title><link>https://example.com{{ post.url }}</link><pubDate>{{ post.date.toUTCString() }}</pubDate><description>{{ post.data.description }}</description></item>
{% endfor %}</channel></rss>
`,
};

export const eleventy: SiteGenerator = { name: `Eleventy ${version}`, create };

async function create(folder: string, posts: number): Promise<GeneratedSite> {
  const installed = await installPeer('eleventy', { '@11ty/eleventy': version });
  mkdirSync(folder, { recursive: true });
  linkModules(installed, folder);
  writeFiles(folder, files);
  writePosts(join(folder, 'content/blog'), posts);
  const program = join(installed, 'node_modules/@11ty/eleventy/cmd.cjs');
  const output = (n: number) => join(folder, `public/blog/post-${n}.html`);
  return {
    name: `Eleventy ${version}`,
    build: () => runProgram(process.execPath, [program, '--quiet'], folder),
    source: (n) => join(folder, `content/blog/post-${n}.md`),
    output,
    watch: () => watch(program, folder, output),
  };
}

async function watch(
  program: string,
  folder: string,
  output: (n: number) => string,
): Promise<Watch> {
  const child = spawn(process.execPath, [program, '--watch', '--incremental'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('Watching')) resolve();
    });
    child.on('exit', (code) => reject(new Error(`eleventy --watch ended with ${code}`)));
  });
  return {
    name: `Eleventy ${version}, --watch --incremental`,
    read: async (n) => readFileSync(output(n), 'utf8'),
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
