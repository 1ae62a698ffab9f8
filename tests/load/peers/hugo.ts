import { join } from 'node:path';
import { freePort } from '@app/db/testing/free-port';
import { startServer, versionOf } from './server-process.ts';
import {
  type GeneratedSite,
  page,
  runProgram,
  type SiteGenerator,
  type Watch,
  writeFiles,
  writePosts,
} from './site-generator.ts';

/** Without a template for the feed, because RSS is built into Hugo. */
const files = {
  'config.toml': `baseURL = "https://example.com/"
title = "Blog"
disableKinds = ["taxonomy", "term", "sitemap", "robotsTXT", "404"]
uglyURLs = true
[services.rss]
limit = 20
[outputs]
home = ["HTML", "RSS"]
section = ["HTML"]
`,
  'layouts/_default/single.html': page(
    '<title>{{ .Title }}</title><meta name="description" content="{{ .Description }}">',
    '<article><h1>{{ .Title }}</h1><time>{{ .Date }}</time>{{ .Content }}</article>',
  ),
  'layouts/_default/list.html': page(
    '<title>Blog</title>',
    '<ul>{{ range first 20 .Site.RegularPages.ByDate.Reverse }}<li><a href="{{ .RelPermalink }}">{{ .Title }}</a><p>{{ .Description }}</p></li>{{ end }}</ul>',
  ),
};

export const hugo: SiteGenerator = { name: 'Hugo', create };

async function create(folder: string, posts: number): Promise<GeneratedSite> {
  const name = `Hugo ${versionOf('hugo', 'version')}`;
  writeFiles(folder, files);
  writePosts(join(folder, 'content/blog'), posts);
  return {
    name,
    build: () => runProgram('hugo', ['--quiet'], folder),
    source: (n) => join(folder, `content/blog/post-${n}.md`),
    output: (n) => join(folder, `public/blog/post-${n}.html`),
    watch: () => watch(name, folder),
  };
}

/** Hugo's server renders pages again that a browser has visited. */
async function watch(name: string, folder: string): Promise<Watch> {
  const port = String(await freePort());
  const server = await startServer({
    name: `${name}, hugo server`,
    command: 'hugo',
    args: ['server', '--port', port, '--disableLiveReload', '--baseURL', 'http://127.0.0.1'],
    url: `http://127.0.0.1:${port}/blog.html`,
    cwd: folder,
    seconds: 120,
  });
  return {
    name: server.name,
    async read(n) {
      const response = await fetch(`http://127.0.0.1:${port}/blog/post-${n}.html`);
      return await response.text();
    },
    [Symbol.asyncDispose]: () => server.stop(),
  };
}
