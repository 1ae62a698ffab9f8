import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort } from '@app/db/testing/free-port';
import { chromium, type Page } from 'playwright';
import { launchOptions } from '../../support/browser.ts';
import { astroVersion } from '../report/circumstances.ts';
import { component } from './astro.ts';
import type { ContentSystem } from './content-system.ts';
import { installPeer } from './npm-peer.ts';
import { startServer } from './server-process.ts';
import { runProgram, writeFiles } from './site-generator.ts';

const version = '0.32.0';
export const emdashName = `EmDash ${version}`;

const dependencies = {
  emdash: version,
  astro: astroVersion(),
  '@astrojs/node': '11.1.6',
  '@astrojs/react': '7.0.0',
  // Instead of EmDash's own version 12, because this one has binaries.
  'better-sqlite3': '13.2.0',
  react: '19.3.1',
  'react-dom': '19.3.1',
};

/** Follows its guides 'Add EmDash to an existing Astro project' and 'Create a Blog'. */
const files = {
  'package.json': JSON.stringify({ private: true, type: 'module', dependencies }),
  'astro.config.mjs': `import node from '@astrojs/node';
import react from '@astrojs/react';
import { defineConfig } from 'astro/config';
import emdash, { local } from 'emdash/astro';
import { sqlite } from 'emdash/db';
export default defineConfig({
  output: 'server',
  adapter: node({ mode: 'standalone' }),
  // Not in the installed node_modules, which all runs share.
  cacheDir: './cache',
  integrations: [
    react(),
    emdash({
      database: sqlite({ url: 'file:./data.db' }),
      storage: local({ directory: './uploads', baseUrl: '/_emdash/api/media/file' }),
      // Its admin pages would load fonts from Google.
      fonts: false,
    }),
  ],
});
`,
  'src/live.config.ts': `import { defineLiveCollection } from 'astro:content';
import { emdashLoader } from 'emdash/runtime';
export const collections = { _emdash: defineLiveCollection({ loader: emdashLoader() }) };
`,
  'src/pages/blog/[slug].astro': component(
    `import { getEmDashEntry } from 'emdash';
import { PortableText } from 'emdash/ui';
const { entry: post } = await getEmDashEntry('posts', Astro.params.slug);
if (!post) return new Response(null, { status: 404 });
const { title, publishedAt, content } = post.data;`,
    '<title>{title}</title>',
    '<article><h1>{title}</h1><time>{publishedAt?.toISOString()}</time><PortableText value={content} /></article>',
  ),
};

export async function startEmdash(): Promise<ContentSystem> {
  const installed = await installPeer('emdash', dependencies);
  // Next to its packages, because Astro resolves other absolute paths relative to the site.
  const folder = join(installed, 'site');
  rmSync(folder, { recursive: true, force: true });
  writeFiles(folder, files);
  const astro = join(installed, 'node_modules/astro/bin/astro.mjs');
  await runProgram(process.execPath, [astro, 'build'], folder, { ASTRO_TELEMETRY_DISABLED: '1' });
  const toBlocks = await blocksOfMarkdown(installed);
  const port = String(await freePort());
  // Passkeys do not work with an IP address.
  const url = `http://localhost:${port}`;
  const server = await startServer({
    name: emdashName,
    command: process.execPath,
    args: ['dist/server/entry.mjs'],
    url: `${url}/_emdash/api/setup/status`,
    cwd: folder,
    env: { NODE_ENV: 'production', HOST: '127.0.0.1', PORT: port },
    seconds: 120,
  });
  let token: string;
  try {
    token = await setUp(url);
  } catch (error) {
    await server.stop();
    throw error;
  }
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
  const post = async <T>(path: string, body: object): Promise<T> => {
    const response = await fetch(apiUrl(url, path), {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return dataOf<T>(path, response.status, await response.text());
  };
  return {
    server,
    async publish({ title, content }) {
      const data = { title, content: toBlocks(content) };
      const { item } = await post<Saved>('content/posts', { data });
      await post<Saved>(`content/posts/${item.id}/publish`, {});
      return `${url}/blog/${item.slug}`;
    },
  };
}

interface Saved {
  item: { id: string; slug: string };
}

const apiUrl = (url: string, path: string): string => `${url}/_emdash/api/${path}`;

/** @throws if the request was refused */
function dataOf<T>(path: string, status: number, text: string): T {
  if (status >= 300) throw new Error(`${path} was answered with ${status}: ${text.slice(0, 300)}`);
  return (JSON.parse(text) as { data: T }).data;
}

/** EmDash's own converter. */
async function blocksOfMarkdown(installed: string): Promise<(markdown: string) => object[]> {
  const client = join(installed, 'node_modules/emdash/dist/client/index.mjs');
  const { markdownToPortableText } = (await import(pathToFileURL(client).href)) as {
    markdownToPortableText(markdown: string): object[];
  };
  return markdownToPortableText;
}

/**
 * Creates an administrator who signs in with a passkey, because EmDash has no passwords.
 * @returns a token for its API
 */
async function setUp(url: string): Promise<string> {
  await using browser = await chromium.launch(launchOptions);
  const page = await browser.newPage();
  await addAuthenticator(page);
  const post = async <T>(path: string, data: object): Promise<T> => {
    const options = { data, headers: { 'X-EmDash-Request': '1' } };
    const response = await page.request.post(apiUrl(url, path), options);
    return dataOf<T>(path, response.status(), await response.text());
  };
  // Passkeys belong to an origin, so the browser needs one of its pages.
  await page.goto(apiUrl(url, 'setup/status'));
  await post('setup', { title: 'Blog', includeContent: false });
  const account = { email: 'author@example.com', name: 'Author' };
  const registration = await post<Challenge<PublicKeyCredentialCreationOptionsJSON>>(
    'setup/admin',
    account,
  );
  const credential = await page.evaluate(async (options) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    const created = await navigator.credentials.create({ publicKey });
    return (created as PublicKeyCredential).toJSON() as object;
  }, registration.options);
  await post('setup/admin/verify', { credential });
  const signIn = await post<Challenge<PublicKeyCredentialRequestOptionsJSON>>(
    'auth/passkey/options',
    {},
  );
  const assertion = await page.evaluate(async (options) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    const found = await navigator.credentials.get({ publicKey });
    return (found as PublicKeyCredential).toJSON() as object;
  }, signIn.options);
  await post('auth/passkey/verify', { credential: assertion });
  const wanted = { name: 'Benchmark', scopes: ['content:write'] };
  return (await post<{ token: string }>('admin/api-tokens', wanted)).token;
}

interface Challenge<Options> {
  options: Options;
}

/** It needs no user interaction. */
async function addAuthenticator(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
}
