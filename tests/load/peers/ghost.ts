import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@app/db/testing/free-port';
import { root } from '../../architecture/sources.ts';
import type { ContentSystem } from './content-system.ts';
import { runPnpm } from './npm-peer.ts';
import { startServer } from './server-process.ts';
import { runProgram } from './site-generator.ts';

const version = '6.65.0';
export const ghostName = `Ghost ${version}`;
/** The npm package of this version has binaries. Ghost's own version is compiled or downloaded. */
const sqliteDriver = '13.2.0';

const account = { email: 'author@example.com', password: 'correct horse 9 battery' };

export async function startGhost(folder: string): Promise<ContentSystem> {
  const installed = await install();
  const content = join(folder, 'content');
  cpSync(join(installed, 'content'), content, { recursive: true });
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const server = await startServer({
    name: ghostName,
    command: process.execPath,
    args: ['index.js'],
    url: `${url}/ghost/api/admin/authentication/setup/`,
    cwd: installed,
    env: {
      NODE_ENV: 'production',
      url,
      server__host: '127.0.0.1',
      server__port: port,
      database__client: 'better-sqlite3',
      database__connection__filename: join(content, 'data/ghost.db'),
      database__useNullAsDefault: 'true',
      paths__contentPath: content,
      mail__transport: 'Direct',
      logging__level: 'error',
      logging__transports: '["stdout"]',
      security__staffDeviceVerification: 'false',
      privacy__useUpdateCheck: 'false',
    },
    seconds: 300,
  });
  const headers: Record<string, string> = { 'Content-Type': 'application/json', Origin: url };
  const post = async (path: string, body: object): Promise<Response> => {
    const response = await fetch(`${url}/ghost/api/admin/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok) {
      const problem = (await response.text()).slice(0, 300);
      throw new Error(`${path} was answered with ${response.status}: ${problem}`);
    }
    return response;
  };
  try {
    await post('authentication/setup/', {
      setup: [{ ...account, name: 'Author', blogTitle: 'Blog' }],
    });
    const { email: username, password } = account;
    const session = await post('session/', { username, password });
    headers['Cookie'] = session.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    await untilSignedIn(url, headers);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    server,
    async publish({ title, content: markdown }) {
      const lexical = JSON.stringify(lexicalOf(markdown));
      const response = await post('posts/', {
        posts: [{ title, lexical, status: 'published' }],
      });
      const { posts } = (await response.json()) as { posts: { url: string }[] };
      return posts[0]?.url ?? '';
    },
  };
}

/** While Ghost starts, it does not accept a new session immediately. */
async function untilSignedIn(url: string, headers: Record<string, string>): Promise<void> {
  const late = performance.now() + 60_000;
  while (performance.now() < late) {
    const response = await fetch(`${url}/ghost/api/admin/users/me/`, { headers });
    await response.arrayBuffer();
    if (response.ok) return;
    await pause(100);
  }
  throw new Error('Ghost did not accept its session within 60 seconds');
}

const lexicalOf = (markdown: string) => {
  const format = { direction: null, format: '', indent: 0, version: 1 };
  return {
    root: { ...format, type: 'root', children: [{ type: 'markdown', version: 1, markdown }] },
  };
};

/** Installs Ghost's package on its own, because it contains a lockfile and other packages. */
async function install(): Promise<string> {
  const folder = join(root, '.cache/peers/ghost');
  const installed = join(folder, 'package');
  const marker = join(folder, '.installed');
  const wanted = `${version} ${sqliteDriver}`;
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return installed;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await runProgram('npm', ['pack', '--silent', `ghost@${version}`], folder);
  await runProgram('tar', ['xf', `ghost-${version}.tgz`], folder);
  // It requires another version of pnpm.
  const { packageManager: _, ...manifest } = JSON.parse(
    readFileSync(join(installed, 'package.json'), 'utf8'),
  ) as Record<string, unknown>;
  const dependencies = manifest['dependencies'] as Record<string, string>;
  const optional = manifest['optionalDependencies'] as Record<string, string>;
  for (const group of [dependencies, optional]) {
    if (group['better-sqlite3']) group['better-sqlite3'] = sqliteDriver;
  }
  writeFileSync(join(installed, 'package.json'), JSON.stringify(manifest));
  // Nothing is compiled: re2 is optional, and everything else has binaries.
  await runPnpm(installed, ['install', '--prod', '--no-frozen-lockfile', '--ignore-scripts']);
  writeFileSync(marker, wanted);
  return installed;
}
