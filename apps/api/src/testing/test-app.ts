import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionReply } from '@app/contract/accounts/sign-in';
import { close } from '@app/db/open';
import { profiles, users } from '@app/db/schema/accounts';
import { currentDatabase } from '@app/db/testing/shared-connection';
import { databaseUrlOf } from '@app/db/testing/shared-databases';
import { openTestDatabase } from '@app/db/testing/test-database';
import type { TestDatabaseKind } from '@app/db/testing/test-database-kind';
import { eq } from 'drizzle-orm';
import { createApp } from '../app.ts';
import { createBodyRenderer } from '../blog/rendering/body-renderer.ts';
import { createDeps } from '../create-deps.ts';
import type { Deps } from '../deps.ts';
import type { RenderEmail } from '../email/render.tsx';
import type { EmailTransport, OutgoingEmail, SendResult } from '../email/transport.ts';
import { type Env, parseEnv } from '../env.ts';
import { createLog, type Log } from '../log.ts';
import { siteFolder } from '../publishing/release.ts';
import type { Renderer } from '../publishing/renderer.ts';
import { createHealth } from '../server/health/health.ts';
import { createStorage } from '../server/health/storage.ts';
import { createMetrics } from '../server/metrics/metrics.ts';
import { createSiteFiles } from '../server/site-files.ts';
import { copiedFolder } from './copied-folder.ts';
import { checkResponses } from './documented-responses.ts';
import { createTestImages } from './images.ts';
import { makeRenderer } from './test-renderer.ts';

export const publicUrl = 'http://localhost:4321';

/** Shared by all apps of a test file: processes and threads start slowly. */
const bodyRenderer = createBodyRenderer();

/** The minimum of argon2. passwords.test.ts tests the real cost. */
const lowPasswordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };

export class MovingClock {
  #now = Date.parse('2026-03-01T12:00:00Z');
  #passed = 1_000;
  now(): number {
    return this.#now;
  }
  monotonic(): number {
    return this.#passed;
  }
  move(milliseconds: number): void {
    this.#now += milliseconds;
    this.#passed += milliseconds;
  }
  /** Sets the wall clock without passing time. */
  set(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

export class EmailRecorder implements EmailTransport {
  readonly sent: OutgoingEmail[] = [];
  answer: (email: OutgoingEmail) => SendResult = () => ({ outcome: 'sent' });
  async send(email: OutgoingEmail): Promise<SendResult> {
    const result = this.answer(email);
    if (result.outcome === 'sent') this.sent.push(email);
    return result;
  }
}

/** Does not render emails, which is fast and enough for most tests. */
const listProps: RenderEmail = async ({ props }) => ({
  text: Object.values(props).join('\n'),
  html: '',
});

export interface TestApp extends AsyncDisposable {
  deps: Deps;
  app: ReturnType<typeof createApp>;
  clock: MovingClock;
  emails: EmailRecorder;
  dataDir: string;
  /** With cookies, an Origin and an address of its own. */
  browser(): TestBrowser;
}

interface Options {
  settings?: Partial<Deps['settings']>;
  renderer?: Renderer;
  /** The real one, to test emails. */
  renderEmail?: RenderEmail;
  /** Outlives the app, to test restarts. */
  dataDir?: string;
  /** Shared with others in the test. */
  clock?: MovingClock;
  /** Whether to publish pages. Most tests read none. */
  publishes?: boolean;
  /** By default silent. */
  log?: Log;
  /** By default that of `TEST_DATABASE`. */
  database?: TestDatabaseKind;
}

/** Copies a site with the pages of a first start, so that the next start renders none. */
const copyPublishedSite = copiedFolder(async (dataDir) => {
  await using _testApp = await makeTestApp({
    publishes: true,
    dataDir,
    renderer: makeRenderer(dataDir),
  });
});

/** The real app, except for the clock, emails and the rendering of pages. */
export async function makeTestApp({
  settings,
  renderer,
  renderEmail = listProps,
  dataDir: keptDataDir,
  clock = new MovingClock(),
  publishes = false,
  log = createLog('silent'),
  database,
}: Options = {}): Promise<TestApp> {
  const dataDir = keptDataDir ?? mkdtempSync(join(tmpdir(), 'site-test-'));
  const url = settings?.publicUrl ?? publicUrl;
  // The copied site has pages for `publicUrl`, and has had the first start, which calls the hook.
  const isLikeOthers = !renderer && url === publicUrl && !settings?.publishHook;
  if (publishes && isLikeOthers && readdirSync(dataDir).length === 0) {
    await copyPublishedSite(dataDir);
  }
  const db = await openTestDatabase(join(dataDir, 'site.db'), database);
  const health = createHealth(log);
  const storage = createStorage({ db, dataDir, clock, health, log });
  const emails = new EmailRecorder();
  const site = {
    env: testEnv(dataDir),
    log,
    health,
    metrics: createMetrics(),
    renderer: renderer ?? makeRenderer(dataDir),
    bodyRenderer,
    siteFiles: createSiteFiles(siteFolder(dataDir)),
  };
  const deps = createDeps(site, db, storage, {
    clock,
    transport: emails,
    renderEmail,
    passwordCost: lowPasswordCost,
    images: createTestImages(log, clock),
    // Whatever the disk of the tests has.
    diskSpace: { isShort: () => false },
    settings: {
      emailTo: 'owner@example.com',
      // So high that most tests never reach them.
      quotas: { posts: 100_000, textBytes: 1e9, publishesPerHour: 100_000 },
      ...settings,
    },
  });
  const { bodies, publisher } = deps;
  bodies.start();
  if (publishes) await publisher.start();
  await deps.avatars.start();
  const app = checkResponses(createApp(deps));
  let browsers = 0;
  return {
    deps: depsForTests(deps),
    app,
    clock,
    emails,
    dataDir,
    browser: () => {
      browsers += 1;
      return new TestBrowser(app, url, `198.18.${browsers >> 8}.${browsers & 255}`);
    },
    async [Symbol.asyncDispose]() {
      storage.stop();
      await deps.outbox.stop();
      await deps.scheduler.stop();
      await publisher.stop();
      await deps.avatars.settled();
      deps.bucket?.stop();
      close(db);
      if (keptDataDir === undefined) rmSync(dataDir, { recursive: true });
    },
  };
}

/** The deps of the app, with a database that shows tests every change at once. */
function depsForTests(deps: Deps): Deps {
  const db = currentDatabase(deps.db);
  if (db === deps.db) return deps;
  return new Proxy(deps, {
    get: (target, name) => (name === 'db' ? db : Reflect.get(target, name)),
  });
}

/** The settings of a program that uses the database of a test. */
export function databaseSettings(dataDir: string): Record<string, string> {
  const url = databaseUrlOf(join(dataDir, 'site.db'));
  return { DATA_DIR: dataDir, ...(url !== undefined && { DATABASE_URL: url }) };
}

function testEnv(dataDir: string): Env {
  const result = parseEnv(databaseSettings(dataDir));
  if ('problems' in result) throw new Error(result.problems.join('\n'));
  return result.env;
}

export class TestBrowser {
  readonly cookies = new Map<string, string>();
  readonly #app: ReturnType<typeof createApp>;
  readonly #origin: string;
  readonly #address: string;

  constructor(app: ReturnType<typeof createApp>, origin: string, address: string) {
    this.#app = app;
    this.#origin = origin;
    this.#address = address;
  }

  async request(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (method !== 'GET' && !headers.has('Origin')) headers.set('Origin', this.#origin);
    if (this.cookies.size > 0) {
      headers.set(
        'Cookie',
        [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      );
    }
    // As set by Hono's Node server.
    const env = { incoming: { socket: { remoteAddress: this.#address } } };
    const response = await this.#app.request(path, { ...init, method, headers }, env);
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    return response;
  }

  get(path: string): Promise<Response> {
    return this.request('GET', path);
  }

  send(method: string, path: string, body: unknown): Promise<Response> {
    return this.request(method, path, {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  post(path: string, body: unknown): Promise<Response> {
    return this.send('POST', path, body);
  }

  /** Sends a form without JavaScript. */
  submit(path: string, fields: Record<string, string>): Promise<Response> {
    return this.request('POST', path, { body: new URLSearchParams(fields) });
  }

  #keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/Max-Age=0\b/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/** The signed-in user, null for a visitor. */
export const userOf = async (browser: TestBrowser): Promise<SessionReply['user']> =>
  ((await (await browser.get('/api/auth/session')).json()) as SessionReply).user;

export const isSignedIn = async (browser: TestBrowser): Promise<boolean> =>
  (await userOf(browser)) !== null;

export function tokenEmailedTo({ emails }: TestApp, email: string): string {
  const text = emails.sent.findLast(({ to }) => to === email)?.text ?? '';
  const token = /token=([\w-]+)/.exec(text)?.[1];
  if (token === undefined) throw new Error(`no link was emailed to ${email}`);
  return token;
}

/** @param fullName that of an author; null for an account without a name, which cannot publish */
export async function signedInBrowser(
  testApp: TestApp,
  email = 'ann@example.com',
  fullName: string | null = nameFor(email),
): Promise<TestBrowser> {
  const browser = testApp.browser();
  await browser.post('/api/auth/sign-up', { email, password: 'correct horse' });
  await testApp.deps.outbox.drain();
  const response = await browser.post('/api/auth/confirm', {
    token: tokenEmailedTo(testApp, email),
  });
  if (response.status !== 200) throw new Error(`confirming answered ${response.status}`);
  const user = await userOf(browser);
  testApp.deps.db
    .update(profiles)
    .set({ fullName })
    .where(eq(profiles.id, user?.id ?? ''))
    .run();
  return browser;
}

/** Ann, of ann@example.com */
const nameFor = (email: string): string => {
  const [local = ''] = email.split('@');
  return local.charAt(0).toUpperCase() + local.slice(1);
};

/** A signed-in user with this role, who may change all posts. */
export async function staffBrowser(
  testApp: TestApp,
  email = 'sam@example.com',
): Promise<TestBrowser> {
  const browser = await signedInBrowser(testApp, email);
  setRole(testApp, email, 'staff');
  return browser;
}

export function setRole({ deps }: TestApp, email: string, role: 'staff' | 'member'): void {
  deps.db.update(users).set({ role }).where(eq(users.email, email)).run();
}
