import { generated, type Host, type HostSettings, pathRules } from './host.ts';
import { headerBlocks } from './netlify.ts';

/**
 * Cloudflare Pages. It serves /about.html at /about, redirects /about/ and /about.html there (308),
 * and shows 404.html for missing paths. A worker runs only for the paths of the API.
 */
export const cloudflare: Host = {
  name: 'cloudflare',
  hasSiblings: false,
  isRemote: true,
  configure: (settings) => ({
    'wrangler.toml': `# ${generated}\nname = "site"\npages_build_output_dir = "public"\ncompatibility_date = "2026-11-01"\n`,
    'public/_headers': [`# ${generated}`, ...headerBlocks(settings.isHttps, '! '), ''].join('\n'),
    'public/_routes.json': `${JSON.stringify({ version: 1, include: settings.apiPaths, exclude: [] }, null, 2)}\n`,
    'public/_worker.js': worker(settings),
  }),
};

const worker = ({ isHttps, api }: HostSettings): string => `// ${generated}

const api = ${JSON.stringify(api)};

/** Later rules override earlier ones. _headers does not apply to responses of a worker. */
const rules = ${JSON.stringify(pathRules(isHttps), null, 2)};

/** Files first, then the API. */
export default {
  async fetch(request, env) {
    if (request.method === 'GET' || request.method === 'HEAD') {
      const file = await env.ASSETS.fetch(request);
      if (file.status < 400) return withHeaders(file, new URL(request.url).pathname);
    }
    const { pathname, search } = new URL(request.url);
    const forwarded = new Request(api + pathname + search, request);
    const client = request.headers.get('CF-Connecting-IP');
    if (client) forwarded.headers.set('X-Forwarded-For', client);
    return fetch(forwarded, { redirect: 'manual' });
  },
};

function withHeaders(file, path) {
  const name = /\\.\\w+$/.test(path) ? path : path + '.html';
  const response = new Response(file.body, file);
  for (const { pattern, headers } of rules) {
    if (pattern !== null && !new RegExp(pattern).test(name)) continue;
    for (const [header, value] of Object.entries(headers)) response.headers.set(header, value);
  }
  return response;
}
`;
