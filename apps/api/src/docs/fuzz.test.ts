import type { PostSaved } from '@app/contract/blog/posts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { decoded } from '../testing/decoded.ts';
import { documentOf } from '../testing/documented-responses.ts';
import { isFullRun } from '../testing/full-run.ts';
import { type HostileRequest, requestsTo } from '../testing/hostile-requests.ts';
import type { JsonSchema } from '../testing/hostile-values.ts';
import { settledRows } from '../testing/tables.ts';
import { isSignedIn, makeTestApp, signedInBrowser, type TestBrowser } from '../testing/test-app.ts';
import { operationsOf } from './document.ts';

/** Requests per endpoint, both signed in and signed out. */
const runs = isFullRun ? 100 : 3;

/** Tables that a refused request may change: it is counted, and marks the session as in use. */
const counters = ['rate_limits', 'sessions'];

const problemType = 'application/problem+json; charset=utf-8';
/** For forms without JavaScript. */
const pageType = 'text/html; charset=utf-8';
/** For missing images. */
const textType = 'text/plain; charset=utf-8';

const errors: string[] = [];
const log = createLog('error', { write: (line) => void errors.push(line) });
const testApp = await makeTestApp({ publishes: true, log });
const document = JSON.parse(JSON.stringify(await documentOf(testApp.app)));
const operations = operationsOf(document);

const resolve = (ref: string): JsonSchema =>
  ref
    .slice('#/'.length)
    .split('/')
    .reduce((at, name) => at[name], document) as JsonSchema;

let post: PostSaved['post'];
let accounts = 0;

const newAccount = (): Promise<TestBrowser> => {
  accounts += 1;
  return signedInBrowser(testApp, `fuzz-${accounts}@example.com`);
};

beforeAll(async () => {
  const author = await newAccount();
  const saved = await author.post('/api/posts', {
    title: 'First',
    content: 'Text',
    published: true,
  });
  post = ((await saved.json()) as PostSaved).post;
});
afterAll(() => testApp[Symbol.asyncDispose]());

async function storedState(): Promise<string> {
  await testApp.deps.outbox.drain();
  const rows = Object.entries(await settledRows(testApp));
  return JSON.stringify(rows.filter(([table]) => !counters.includes(table)));
}

/** The rows after the last request that may have changed something. */
let stored: string | undefined;

/** Sends a request and expects a documented success, or a refusal that changes nothing. */
async function expectSoundReply(
  browser: TestBrowser,
  { method, path, headers, body }: HostileRequest,
  { responses }: (typeof operations)[number]['operation'],
): Promise<void> {
  stored ??= await storedState();
  errors.length = 0;
  const init = { headers, ...(body !== undefined && { body }) };
  const response = await browser.request(method, path, init);
  const { status } = response;
  expect(errors).toEqual([]);
  expect(Object.keys(responses)).toContain(String(status));
  if (status >= 500) expect([501, 503]).toContain(status);
  if (status < 400) {
    if (method !== 'GET') stored = undefined;
    return;
  }
  const type = response.headers.get('Content-Type')?.toLowerCase();
  const isForm = headers['Content-Type'] === 'application/x-www-form-urlencoded';
  const isImage = /^\/(?:uploads|pictures)\//.test(path);
  const allowed = [problemType, ...(isForm ? [pageType] : []), ...(isImage ? [textType] : [])];
  expect(allowed).toContain(type);
  if (type === problemType) {
    expect(await decoded(response).json()).toMatchObject({ status, title: expect.any(String) });
  }
  expect(await storedState()).toBe(stored);
}

async function signedIn(browser: TestBrowser | undefined): Promise<TestBrowser> {
  if (browser && (await isSignedIn(browser))) return browser;
  stored = undefined;
  return newAccount();
}

describe.each(['signed out', 'signed in'] as const)('%s', (state) => {
  let user: TestBrowser | undefined;

  test.each(operations.map((each) => [`${each.method} ${each.path}`, each] as const))(
    '%s returns a documented reply to any request',
    async (_name, operation) => {
      const existing = [post.id, post.slug, 'first', '1', 'json', 'not-there'];
      await fc.assert(
        fc.asyncProperty(requestsTo(operation, { resolve, existing }), async (request) => {
          // Rate limits are not tested here.
          testApp.clock.move(60_000);
          if (state === 'signed in') user = await signedIn(user);
          const browser = state === 'signed in' && user ? user : testApp.browser();
          await expectSoundReply(browser, request, operation.operation);
        }),
        { numRuns: runs, ...(isFullRun ? {} : { seed: 1 }) },
      );
    },
  );
});
