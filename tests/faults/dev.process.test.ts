import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PostSaved } from '@app/contract/blog/posts';
import { freePort } from '@app/db/testing/free-port';
import { expect, test, vi } from 'vitest';
import { DevProcess, workspace } from '../support/dev-process.ts';
import { waitForConfirmationLink } from '../support/mailbox.ts';
import { temporaryFolder } from '../support/site-process.ts';

/** Files that an owner edits, and pages that show their titles. */
const texts = [
  { file: 'src/pages/about.ts', path: '/about' },
  { file: 'legal/terms.md', path: '/terms' },
  {
    file: 'sample-posts/voice-ai-agents-in-customer-service.md',
    path: '/blog/voice-ai-agents-in-customer-service',
  },
];
const timeout = { timeout: 90_000, interval: 100 };

/** Replaces the file instead of writing to it, like git and many editors. */
function replaceFile(file: string, text: string): void {
  writeFileSync(`${file}~`, text);
  renameSync(`${file}~`, file);
}

/** A source file that throws when it is loaded, until it is restored or the test ends. */
class BrokenFile implements Disposable {
  readonly message = 'Half an edit';
  readonly #path: string;
  readonly #text: string;

  constructor(name: string) {
    this.#path = join(workspace, name);
    this.#text = readFileSync(this.#path, 'utf8');
    writeFileSync(this.#path, `throw new Error('${this.message}');\n${this.#text}`);
  }

  restore(): void {
    replaceFile(this.#path, this.#text);
  }

  [Symbol.dispose](): void {
    this.restore();
  }
}

/** A free port whose successor is free, too. */
async function freePair(): Promise<number> {
  for (;;) {
    const port = await freePort();
    const next = await fetch(`http://127.0.0.1:${port + 1}`).catch(() => null);
    if (next === null && port < 65_535) return port;
  }
}

test('pnpm dev recovers from an error, shows changed texts and posts, and stops cleanly', async () => {
  using folder = temporaryFolder();
  using feature = new BrokenFile('apps/api/src/features.ts');
  const port = await freePair();
  const url = `http://localhost:${port}`;
  const env = { PORT: String(port), DATA_DIR: folder.path };
  await using dev = new DevProcess(env);
  const textOf = async (path: string) => (await fetch(url + path)).text();
  const leadsTo = async (path: string) => {
    const { status, headers } = await fetch(url + path, { redirect: 'manual' });
    return [status, headers.get('location')];
  };
  await vi.waitFor(() => expect(dev.output).toContain(`Error: ${feature.message}`), {
    ...timeout,
    // The site is built first.
    timeout: 240_000,
  });
  // It does not notice changes until it watches the file.
  await vi.waitFor(() => {
    feature.restore();
    expect(dev.output).toContain('[tsx] change in');
  }, timeout);
  await vi.waitFor(async () => {
    expect((await fetch(`${url}/api/health`)).status, dev.output).toBe(200);
  }, timeout);

  for (const text of texts) {
    const file = join(workspace, 'packages/site', text.file);
    const before = readFileSync(file, 'utf8');
    const changed = before.replace(/title: (?:'[^']+'|.+)/, "title: 'Edited while it runs'");
    expect(changed).not.toBe(before);
    expect(await textOf(text.path)).not.toContain('Edited while it runs');
    try {
      replaceFile(file, changed);
      await vi.waitFor(async () => {
        expect(await textOf(text.path), text.path).toContain('Edited while it runs');
      }, timeout);
    } finally {
      writeFileSync(file, before);
    }
    // Vite's watcher ignores a change within 50 ms of another one, so it is written again.
    await vi.waitFor(async () => {
      writeFileSync(file, before);
      expect(await textOf(text.path), text.path).not.toContain('Edited while it runs');
    }, timeout);
  }

  let cookie = '';
  const send = async (method: string, path: string, body: object) => {
    const response = await fetch(`${url}/api/${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', Origin: url, Cookie: cookie },
      body: JSON.stringify(body),
    });
    expect(response.ok, `${path}: ${response.status}`).toBe(true);
    const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0]);
    if (cookies.length > 0) cookie = cookies.join('; ');
    return response;
  };
  const email = 'ann@example.com';
  await send('POST', 'auth/sign-up', { email, password: 'correct horse battery' });
  const link = new URL(await waitForConfirmationLink(folder.path, email));
  expect(link.origin).toBe(url);
  await send('POST', 'auth/confirm', { token: link.searchParams.get('token') });
  await send('PATCH', 'profile', { fullName: 'Ann Miller' });
  const post = { title: 'A post', content: 'Before.', published: true };
  const saved = (await (await send('POST', 'posts', post)).json()) as PostSaved;
  expect(await textOf('/blog/a-post')).toContain('Before.');
  await send('PATCH', `posts/${saved.post.id}`, { content: 'After.' });
  expect(await textOf('/blog/a-post')).toContain('After.');

  expect(await leadsTo('/profile')).toEqual([303, '/auth?next=%2Fprofile']);
  expect(await leadsTo('/auth/reset?token=used')).toEqual([303, '/auth/forgot#dead-link']);

  const second = new DevProcess(env);
  expect(await second.ended).toBe(1);
  expect(second.output).toContain(`Port ${port} is in use`);
  const neighbor = new DevProcess({ ...env, PORT: String(port - 1) });
  expect(await neighbor.ended).toBe(1);
  expect(neighbor.output).toContain(`Port ${port} is in use`);

  expect(dev.output).not.toContain('could not render a social card');
  expect(await dev.stop()).toBe(0);
  for (const taken of [port, port + 1]) {
    await expect(fetch(`http://localhost:${taken}`)).rejects.toThrow();
  }
}, 480_000);
