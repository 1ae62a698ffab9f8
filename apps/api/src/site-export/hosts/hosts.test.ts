import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { features } from '../../features.ts';
import { fileOf } from '../../server/site-files.ts';
import { canonicalPath, headersOf } from '../../server/site-rules.ts';
import { apiPathsOf } from '../api-paths.ts';
import { cloudflare } from './cloudflare.ts';
import { cloudfront } from './cloudfront.ts';
import type { Host } from './host.ts';
import { netlify } from './netlify.ts';

const apiPaths = apiPathsOf(features);

const settings = {
  publicUrl: 'https://example.com',
  isHttps: true,
  root: '/srv/site/public',
  api: 'https://api.example.com',
  apiPaths,
};

const fileNames = [
  ['/', 'index.html'],
  ['/about', 'about.html'],
  ['/blog/first', 'blog/first.html'],
  ['/blog/first.md', 'blog/first.md'],
  ['/blog/rss.xml', 'blog/rss.xml'],
  ['/_astro/a.Bq3x.js', '_astro/a.Bq3x.js'],
  ['/_astro/a.Bq3x.woff2', '_astro/a.Bq3x.woff2'],
  ['/_astro/a.Bq3x.webp', '_astro/a.Bq3x.webp'],
  ['/cards/0a.png', 'cards/0a.png'],
  ['/favicon.ico', 'favicon.ico'],
  ['/site.webmanifest', 'site.webmanifest'],
  ['/.well-known/security.txt', '.well-known/security.txt'],
] as const;

const fileIn = (host: Host, name: string): string => {
  const file = host.configure(settings)[name];
  if (file === undefined) throw new Error(`${host.name} has no ${name}`);
  return file;
};

/** The headers that a _headers file sets for a path. `! Name` removes one of an earlier block. */
function evaluate(file: string, path: string): Record<string, string> {
  const headers: Record<string, string> = {};
  let applies = false;
  for (const line of file.split('\n').filter((each) => each && !each.startsWith('#'))) {
    if (!line.startsWith(' ')) {
      const pattern = line.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace('*', '.*');
      applies = new RegExp(`^${pattern}$`).test(path);
      continue;
    }
    if (!applies) continue;
    const [, removed, name = '', value = ''] = /^ {2}(?:! (.+)|([\w-]+): (.+))$/.exec(line) ?? [];
    if (removed) delete headers[removed];
    else headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}

test.each(fileNames)('sets the headers of %s in the _headers of Cloudflare', (path, name) => {
  const file = fileIn(cloudflare, 'public/_headers');
  expect(evaluate(file, path)).toEqual(headersOf(name, true));
});

test('stays within the limits of Cloudflare for _headers', () => {
  const lines = fileIn(cloudflare, 'public/_headers').split('\n');
  const rules = lines.filter((line) => line.startsWith('/'));
  expect(rules.length).toBeLessThanOrEqual(100);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(2_000);
  for (const rule of rules) expect(rule.split('*').length).toBeLessThanOrEqual(2);
  const routes = JSON.parse(fileIn(cloudflare, 'public/_routes.json'));
  expect(routes).toEqual({ version: 1, include: apiPaths, exclude: [] });
});

test.each(fileNames)('sets the headers of %s in the _headers of Netlify', (path, name) => {
  // On Netlify, later rules override headers of earlier ones without `! Name`.
  const lines = fileIn(netlify, 'public/_headers').split('\n');
  const replacing = lines.flatMap((line) =>
    line.startsWith('  ') ? [`  ! ${line.slice(2).split(':')[0]}`, line] : [line],
  );
  expect(evaluate(replacing.join('\n'), path)).toEqual(headersOf(name, true));
});

test('forwards the paths of the API in the _redirects of Netlify', () => {
  const rules = fileIn(netlify, 'public/_redirects').split('\n').slice(1, -1);
  expect(rules).toHaveLength(apiPaths.length);
  expect(rules).toContain('/api/* https://api.example.com/api/:splat 200');
  expect(rules).toContain('/profile https://api.example.com/profile 200');
});

interface CloudFrontRequest {
  uri: string;
  querystring: Record<string, { value: string; multiValue?: { value: string }[] }>;
}

function viewerRequest(uri: string, querystring: CloudFrontRequest['querystring'] = {}) {
  const code = fileIn(cloudfront, 'cloudfront/viewer-request.js');
  const event = { request: { uri, querystring } };
  const reply = runInNewContext(`${code}; handler(event)`, { event });
  return JSON.parse(JSON.stringify(reply));
}

test.each([
  ['/'],
  ['/about'],
  ['/about/'],
  ['/about.html'],
  ['/about.html//'],
  ['/index'],
  ['/index.html'],
  ['/blog/first'],
  ['/blog/rss.xml'],
  ['//evil.example/'],
  ['/\\evil.example/'],
  ['/.well-known/security.txt'],
])('handles %s in the function of CloudFront like this server', (path) => {
  const reply = viewerRequest(path);
  const canonical = canonicalPath(path);
  if (canonical === path) {
    const name = fileOf(path);
    expect(reply.uri).toBe(name === null ? path : `/${name}`);
  } else {
    expect(reply).toMatchObject({ statusCode: 308, headers: { location: { value: canonical } } });
  }
});

test('preserves queries and does not change API paths in the function of CloudFront', () => {
  const query = {
    a: { value: '1', multiValue: [{ value: '1' }, { value: '2' }] },
    b: { value: '' },
  };
  expect(viewerRequest('/about/', query).headers.location.value).toBe('/about?a=1&a=2&b');
  expect(viewerRequest('/api/posts/').uri).toBe('/api/posts/');
});

test('has a behavior for each path of the API in the template of CloudFront', () => {
  const { Resources } = JSON.parse(fileIn(cloudfront, 'cloudfront/template.json'));
  const { CacheBehaviors, DefaultCacheBehavior } =
    Resources.Distribution.Properties.DistributionConfig;
  // The quota of a distribution.
  expect(CacheBehaviors.length).toBeLessThan(25);
  const patterns: string[] = CacheBehaviors.map(
    ({ PathPattern }: { PathPattern: string }) => PathPattern,
  );
  expect(patterns).toEqual(expect.arrayContaining([...apiPaths]));
  for (const { ResponseHeadersPolicyId, CachePolicyId } of [
    DefaultCacheBehavior,
    ...CacheBehaviors,
  ]) {
    if (ResponseHeadersPolicyId) expect(Resources).toHaveProperty(ResponseHeadersPolicyId.Ref);
    if (CachePolicyId.Ref) expect(Resources).toHaveProperty(CachePolicyId.Ref);
  }
  const page = Resources.PagesHeaders.Properties.ResponseHeadersPolicyConfig;
  expect(page.SecurityHeadersConfig.ContentSecurityPolicy.ContentSecurityPolicy).toBe(
    headersOf('about.html', true)['Content-Security-Policy'],
  );
});

test('serves files first and forwards other requests to the API in the worker of Cloudflare', async () => {
  const asked: { method: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (request, response) => {
    asked.push({ method: request.method, headers: request.headers, body: await text(request) });
    response.writeHead(303, { Location: '/contact#sent' }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const code = cloudflare.configure({ ...settings, api: `http://127.0.0.1:${port}` });
  const source = Buffer.from(code['public/_worker.js'] ?? '').toString('base64');
  const { default: worker } = await import(`data:text/javascript;base64,${source}`);
  const env = {
    ASSETS: {
      fetch: async (request: Request) =>
        new URL(request.url).pathname === '/blog/first'
          ? new Response('a page', { headers: { 'Content-Type': 'text/html' } })
          : new Response('missing', { status: 404 }),
    },
  };
  const ask = (path: string, init?: RequestInit): Promise<Response> =>
    worker.fetch(new Request(`https://example.com${path}`, init), env);

  const page = await ask('/blog/first');
  expect([page.status, await page.text()]).toEqual([200, 'a page']);
  expect(Object.fromEntries(page.headers)).toMatchObject(
    Object.fromEntries(
      Object.entries(headersOf('blog/first.html', true)).map(([name, value]) => [
        name.toLowerCase(),
        value,
      ]),
    ),
  );
  const form = new URLSearchParams({ email: 'ann@example.com' });
  const headers = { 'CF-Connecting-IP': '203.0.113.7', Origin: 'https://example.com' };
  const sent = await ask('/api/contact?a=b', { method: 'POST', body: form, headers });
  expect([sent.status, sent.headers.get('Location')]).toEqual([303, '/contact#sent']);
  expect((await ask('/blog/none')).status).toBe(303);
  expect(asked).toMatchObject([
    {
      method: 'POST',
      body: 'email=ann%40example.com',
      headers: { 'x-forwarded-for': '203.0.113.7', origin: 'https://example.com' },
    },
    { method: 'GET' },
  ]);
});
