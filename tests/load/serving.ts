import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { SiteProcess } from '../support/site-process.ts';
import { startBareApi, startBarePage } from './peers/bare-servers.ts';
import type { ServerProcess } from './peers/server-process.ts';
import { startCaddy, startNginx } from './peers/web-servers.ts';
import { type Comparison, comparison, megabytes, notMeasured, perSecond, type Row } from './row.ts';
import { seed } from './seed.ts';
import { inTurns } from './wrk.ts';

const connections = 64;

export async function* measureServing(folder: string): AsyncGenerator<Row> {
  const dataDir = join(folder, 'site-1000');
  seed(dataDir, 1_000);
  await using site = await SiteProcess.start({ dataDir });
  yield await apiRow(site);
  yield await pageRow(site, folder);
  yield {
    what: 'memory after that load',
    measured: megabytes(site.memory().now),
    aim: '≤ 250 MB',
  };
  await site.stop();
}

async function apiRow(site: SiteProcess): Promise<Row> {
  await using bare = await startBareApi(join(site.dataDir, 'site.db'));
  const path = '/api/posts/post-500';
  const [ours = 0, theirs = 0] = await inTurns([site.url + path, bare.url + path], connections);
  return {
    what: `GET /api/posts/{slug}, ${connections} connections`,
    measured: perSecond(ours),
    aim: '≥ 70 %',
    comparisons: [comparison('node:http with the same statement', ours, theirs, perSecond)],
  };
}

/** Each server has one worker, because the load generator needs the other core. */
async function pageRow(site: SiteProcess, folder: string): Promise<Row> {
  const path = '/blog/post-500';
  const page = readFileSync(join(site.dataDir, 'site', `${path}.html`));
  const compressed = gzipSync(page, { level: 6 });
  // The peers get a compressed file beside the page, as `site export` writes it.
  const root = join(folder, 'exported');
  mkdirSync(join(root, 'blog'), { recursive: true });
  writeFileSync(join(root, `${path}.html`), page);
  writeFileSync(join(root, `${path}.html.gz`), compressed);
  const compressedFile = join(folder, 'page.html.gz');
  writeFileSync(compressedFile, compressed);
  const starts = [
    ['nginx', () => startNginx(root, join(folder, 'nginx'))],
    ['Caddy', () => startCaddy(root, join(folder, 'caddy'))],
    ['node:http with the page in memory', () => startBarePage(compressedFile)],
  ] as const;
  await using servers = new AsyncDisposableStack();
  const started: ServerProcess[] = [];
  const missing: Comparison[] = [];
  for (const [name, start] of starts) {
    try {
      const server = servers.use(await start());
      await requireGzip(server.url + path, compressed);
      started.push(server);
    } catch (error) {
      missing.push(notMeasured(name, (error as Error).message));
    }
  }
  await requireGzip(site.url + path, compressed);
  const urls = [site.url, ...started.map(({ url }) => url)].map((url) => url + path);
  const [ours = 0, ...theirs] = await inTurns(urls, connections);
  return {
    what: `a page of ${(compressed.length / 1_000).toFixed(1)} kB (gzip), ${connections} connections`,
    measured: perSecond(ours),
    aim: '≥ 25 % of nginx',
    comparisons: [
      ...started.map(({ name }, n) => comparison(name, ours, theirs[n] ?? 0, perSecond)),
      ...missing,
    ],
  };
}

/** @throws unless the server sends the site's page, compressed */
async function requireGzip(url: string, compressed: Buffer): Promise<void> {
  const response = await fetch(url, { headers: { 'Accept-Encoding': 'gzip' } });
  const page = Buffer.from(await response.arrayBuffer());
  const encoding = response.headers.get('Content-Encoding');
  if (encoding === 'gzip' && page.equals(gunzipSync(compressed))) return;
  throw new Error(
    `${url} responded with ${response.status}, ${encoding}, ${page.length} bytes: not the page with gzip`,
  );
}
