import type { DraftChange } from '@app/contract/blog/drafts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DeviceCopy } from './device-copies.ts';
import { createDraftSync, type TextLocation } from './draft-sync.ts';
import { initialTexts } from './form-texts.ts';

const problem = (status: number, code: string, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify({ code, detail: `It is ${code}.` }), {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  });

const empty = initialTexts(null);

function setUp(isNew = true) {
  const device = new Map<string, DeviceCopy>();
  const form = { ...empty };
  const shown: TextLocation[] = [];
  const newer: unknown[] = [];
  const gone = vi.fn();
  const server = {
    draft: null as null | { fields: typeof form; updatedAt: string },
    stored: 0,
    /** Replies instead of storing. */
    answer: null as null | (() => Response | Promise<Response>),
    /** Stores, but the reply is lost. */
    losesAnswers: false,
    /** The path of the last request. */
    path: '',
    baseVersion: undefined as number | null | undefined,
    isGone: false,
  };
  const storage = { hangs: false };
  const answered = () => (storage.hangs ? new Promise<void>(() => undefined) : Promise.resolve());
  const put = (change: DraftChange): Response => {
    const { previous, account, baseVersion, ...fields } = change;
    server.baseVersion = baseVersion;
    if (server.isGone && baseVersion !== null) return problem(404, 'not_found');
    if (previous !== (server.draft?.updatedAt ?? null)) return problem(409, 'draft_changed');
    server.stored += 1;
    server.draft = { fields, updatedAt: `time ${server.stored}` };
    if (server.losesAnswers) throw new TypeError('network');
    return Response.json({ id: 'x', updatedAt: server.draft.updatedAt });
  };
  vi.stubGlobal('fetch', async (path: string, { method, body }: RequestInit) => {
    server.path = path;
    if (server.answer) return server.answer();
    if (method === 'DELETE') {
      const updatedAt = new URL(path, 'http://localhost').searchParams.get('updatedAt');
      if (server.draft && server.draft.updatedAt !== updatedAt)
        return problem(409, 'draft_changed');
      server.draft = null;
      return Response.json({ discarded: true });
    }
    if (method === 'GET') {
      return server.draft ? Response.json({ id: 'x', ...server.draft }) : problem(404, 'not_found');
    }
    return put(JSON.parse(String(body)));
  });
  const sync = createDraftSync({
    account: 'ann',
    draft: 'x',
    page: 'page',
    isNew,
    baseVersion: isNew ? null : 1,
    previous: null,
    initial: empty,
    read: () => ({ ...form }),
    async writeCopy(copy) {
      await answered();
      device.set(copy.page, copy);
    },
    async removeCopy({ page }) {
      await answered();
      device.delete(page);
    },
    onChange: (now) => shown.push(now),
    onNewerText: (draft) => newer.push(draft),
    onGone: gone,
  });
  return {
    ...{ device, form, shown, newer, gone, server, storage, sync },
    type(content: string) {
      form.content = content;
      sync.typed();
    },
    wait: (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds),
  };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('document', { documentElement: { dataset: {} }, cookie: '' });
  vi.stubGlobal('dispatchEvent', () => true);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('stores text on the device within 300 ms, even during typing, and on the server after a pause', async () => {
  const { device, server, shown, type, wait } = setUp();
  type('a');
  await wait(200);
  type('ab');
  await wait(100);
  expect(device.get('page')?.fields.content).toBe('ab');
  expect(server.draft).toBeNull();

  await wait(1_000);
  expect(server.draft?.fields.content).toBe('ab');
  expect(device.size).toBe(0);
  expect(shown).toEqual([{ at: 'typing' }, { at: 'server' }]);
});

test('stores text on the server even if the user types without a pause', async () => {
  const { server, type, wait } = setUp();
  for (let n = 0; n < 100; n += 1) {
    type('x'.repeat(n));
    await wait(100);
  }
  expect(server.stored).toBe(1);
});

test('offline, stores text on the device, and sends it when the network is back', async () => {
  const { device, server, shown, sync, type, wait } = setUp();
  vi.stubGlobal('navigator', { onLine: false });
  server.answer = () => Promise.reject(new TypeError('network'));
  type('a');
  await wait(20_000);
  expect(shown).toEqual([{ at: 'typing' }, { at: 'device', why: 'offline' }]);
  expect(device.get('page')?.fields.content).toBe('a');
  expect(sync.isUnsent()).toBe(true);

  server.answer = null;
  sync.wake();
  await wait(0);
  expect(shown.at(-1)).toEqual({ at: 'server' });
  expect(device.size).toBe(0);
  expect(sync.isUnsent()).toBe(false);
});

test.each([
  ['a busy server', 503, 'busy'],
  ['too many requests', 429, 'too_many_requests'],
])('retries after %s at the time in Retry-After', async (_what, status, code) => {
  const { server, shown, type, wait } = setUp();
  let asked = 0;
  server.answer = () => {
    asked += 1;
    return problem(status, code, { 'retry-after': '60' });
  };
  type('a');
  await wait(50_000);
  type('ab');
  await wait(5_000);
  expect(asked).toBe(1);
  expect(shown.at(-1)).toEqual({ at: 'device', why: { detail: `It is ${code}.` } });

  server.answer = null;
  await wait(30_000);
  expect(server.draft?.fields.content).toBe('ab');
});

test('does not send requests after the session has ended, until it is woken', async () => {
  const { server, shown, sync, type, wait } = setUp();
  let asked = 0;
  server.answer = () => {
    asked += 1;
    return problem(401, 'not_signed_in');
  };
  for (const text of ['a', 'ab', 'abc']) {
    type(text);
    await wait(5_000);
  }
  expect(asked).toBe(1);
  expect(shown.at(-1)).toEqual({ at: 'device', why: 'signed-out' });

  server.answer = null;
  sync.wake();
  await wait(0);
  expect(server.draft?.fields.content).toBe('abc');
});

test('does not mistake a text whose reply was lost for one of another device', async () => {
  const { newer, server, shown, type, wait } = setUp();
  server.losesAnswers = true;
  type('a');
  await wait(1_100);
  expect(server.stored).toBe(1);
  server.losesAnswers = false;
  type('ab');
  await wait(10_000);
  expect(server.draft?.fields.content).toBe('ab');
  expect(newer).toEqual([]);
  expect(shown.at(-1)).toEqual({ at: 'server' });
});

test('never overwrites newer text of another device', async () => {
  const { device, newer, server, shown, sync, type, wait } = setUp(false);
  server.draft = { fields: { ...empty, content: 'Other' }, updatedAt: 'theirs' };
  type('a');
  await wait(10_000);
  type('ab');
  await wait(10_000);
  expect(server.draft.fields.content).toBe('Other');
  expect(newer).toHaveLength(1);
  expect(shown.at(-1)).toEqual({ at: 'device', why: 'newer-text' });
  expect(device.get('page')?.fields.content).toBe('ab');
  expect(sync.savedText()).toEqual({ account: 'ann', draft: 'x', draftUpdatedAt: undefined });

  server.draft = null;
  sync.release(null);
  await wait(0);
  expect(sync.savedText()).toEqual({ account: 'ann', draft: 'x', draftUpdatedAt: 'time 1' });
});

test('keeps text that a copy replaces as another copy, unless the copy continues it', async () => {
  const { device, form, server, sync, type, wait } = setUp(false);
  const copyOf = (content: string, previous: string | null, draft = 'x'): DeviceCopy => ({
    ...{ account: 'ann', draft, page: 'closed', isNew: false, baseVersion: 1, previous },
    ...{ fields: { ...empty, content }, editedAt: 0 },
  });
  expect(sync.adopt(copyOf('a', null))).toBeNull();
  type('a');
  expect(sync.adopt(copyOf('a', null))).toBeNull();
  const replaced = sync.adopt(copyOf('b', null));
  expect(replaced).toMatchObject({ draft: 'x', previous: null, fields: { content: 'a' } });
  expect(replaced?.page).not.toBe('page');

  await wait(2_000);
  expect(server.draft?.updatedAt).toBe('time 1');
  expect(sync.adopt(copyOf('c', 'time 1'))).toBeNull();
  expect(sync.adopt(copyOf('b', null))).toMatchObject({ previous: 'time 1' });

  type('ab');
  await wait(300);
  expect(device.has('page')).toBe(true);
  server.draft = null;
  sync.adopt(copyOf('c', null, 'y'));
  form.content = 'c';
  sync.release(null);
  await wait(2_000);
  expect(server).toMatchObject({
    path: '/api/posts/drafts/y',
    draft: { fields: { content: 'c' } },
  });
  expect(device.size).toBe(0);
});

test('a save names the draft that its text continues, even if the reply was lost', async () => {
  const { newer, server, shown, sync, type, wait } = setUp();
  server.losesAnswers = true;
  type('a');
  await wait(1_100);
  type('ab');
  await sync.pause();
  expect(sync.savedText()).toEqual({ account: 'ann', draft: 'x', draftUpdatedAt: 'time 1' });

  sync.resume();
  server.draft = { fields: { ...empty, content: 'Other' }, updatedAt: 'theirs' };
  await sync.pause();
  expect(sync.savedText()).toEqual({ account: 'ann', draft: 'x', draftUpdatedAt: 'time 1' });
  expect(newer).toEqual([expect.objectContaining({ updatedAt: 'theirs' })]);
  expect(shown.at(-1)).toEqual({ at: 'device', why: 'newer-text' });
});

test('stores held text when the newer text is gone', async () => {
  const { newer, server, shown, sync, type, wait } = setUp(false);
  server.draft = { fields: { ...empty, content: 'Other' }, updatedAt: 'theirs' };
  type('a');
  await wait(5_000);
  sync.wake();
  await wait(0);
  expect(server.draft.fields.content).toBe('Other');
  expect(shown.at(-1)).toEqual({ at: 'device', why: 'newer-text' });

  server.draft = null;
  sync.wake();
  await wait(0);
  expect(server.draft).toMatchObject({ fields: { content: 'a' } });
  expect(newer).toEqual([expect.objectContaining({ updatedAt: 'theirs' }), null]);
  expect(shown.at(-1)).toEqual({ at: 'server' });
});

test('stores text with the version whose changes it includes', async () => {
  const { server, sync, type, wait } = setUp(false);
  type('a');
  await wait(2_000);
  expect(server.baseVersion).toBe(1);
  sync.rebase(2);
  type('ab');
  await wait(2_000);
  expect(server).toMatchObject({ baseVersion: 2, draft: { fields: { content: 'ab' } } });
});

test('continues the draft of a deleted post as that of a new post', async () => {
  const { device, gone, server, shown, sync, type, wait } = setUp(false);
  type('a');
  await wait(2_000);
  expect(server.baseVersion).toBe(1);
  server.isGone = true;
  type('ab');
  await wait(2_000);
  expect(gone).toHaveBeenCalledOnce();
  expect(server).toMatchObject({
    ...{ path: '/api/posts/drafts/x', baseVersion: null },
    draft: { fields: { content: 'ab' } },
  });
  expect(shown.at(-1)).toEqual({ at: 'server' });
  expect(device.size).toBe(0);
  expect(sync.savedText()).toEqual({ account: 'ann', draft: 'x', draftUpdatedAt: 'time 2' });
});

test('a new post can continue the copy of a deleted post', async () => {
  const { form, server, sync, type, wait } = setUp();
  server.isGone = true;
  const fields = { ...empty, content: 'a' };
  const ofPost = { account: 'ann', draft: 'post', page: 'closed', isNew: false, baseVersion: 1 };
  sync.adopt({ ...ofPost, previous: null, fields });
  form.content = 'a';
  sync.release(null);
  type('a');
  await wait(2_000);
  expect(server).toMatchObject({ path: '/api/posts/drafts/post', draft: { fields } });
});

test('stores text again that another tab has discarded', async () => {
  const { server, shown, type, wait } = setUp();
  type('a');
  await wait(2_000);
  server.draft = null;
  type('ab');
  await wait(5_000);
  expect(shown.at(-1)).toEqual({ at: 'server' });
  expect(server.stored).toBe(2);
});

test('deletes the draft of a new post that is empty again', async () => {
  const { server, shown, type, wait } = setUp();
  type('a');
  await wait(2_000);
  expect(server.draft).not.toBeNull();
  type('');
  await wait(2_000);
  expect(server.draft).toBeNull();
  expect(shown.at(-1)).toEqual({ at: 'post' });
});

test('emptying a new post does not delete newer text of another tab', async () => {
  const { newer, server, type, wait } = setUp();
  type('a');
  await wait(2_000);
  server.draft = { fields: { ...empty, content: 'Other' }, updatedAt: 'theirs' };
  type('');
  await wait(5_000);
  expect(server.draft.fields.content).toBe('Other');
  expect(newer).toEqual([expect.objectContaining({ updatedAt: 'theirs' })]);
});

test('without storage, stores text on the server, and if that fails only in the page', async () => {
  const { device, server, shown, type, wait } = setUp();
  device.set = () => {
    throw new Error('QuotaExceededError');
  };
  type('a');
  await wait(2_000);
  expect(shown.at(-1)).toEqual({ at: 'server' });

  server.answer = () => problem(500, 'internal');
  type('ab');
  await wait(2_000);
  expect(shown.at(-1)).toEqual({ at: 'page', why: { detail: 'It is internal.' } });
});

test('a save is not overtaken by an older request, and removes the copy', async () => {
  const { device, server, shown, sync, type, wait } = setUp(false);
  type('a');
  await wait(300);
  expect(device.size).toBe(1);
  await sync.pause();
  await wait(10_000);
  expect(server.stored).toBe(0);

  await sync.saved({ id: 'post', version: 2 });
  expect(sync.isUnsent()).toBe(false);
  expect(shown.at(-1)).toEqual({ at: 'post' });
  expect(device.size).toBe(0);
});

test('stores what is typed during and after a save as a draft of the saved post', async () => {
  const { device, server, shown, sync, type, wait } = setUp();
  type('a');
  await wait(2_000);
  expect(server.path).toBe('/api/posts/drafts/x');
  await sync.pause();
  type('ab');
  await wait(1_000);
  expect(device.get('page')?.fields.content).toBe('ab');
  // The save deletes the draft that it names.
  expect(sync.savedText()).toEqual({ account: 'ann', draft: 'x', draftUpdatedAt: 'time 1' });
  server.draft = null;
  await sync.saved({ id: 'post', version: 1 });
  expect(sync.isUnsent()).toBe(true);

  await wait(2_000);
  expect(server.path).toBe('/api/posts/drafts/post');
  expect(server.baseVersion).toBe(1);
  expect(server.draft).toMatchObject({ fields: { content: 'ab' } });
  expect(shown.at(-1)).toEqual({ at: 'server' });
  expect(device.size).toBe(0);
});

test('continues to store typed text after a failed save', async () => {
  const { server, sync, type, wait } = setUp(false);
  type('a');
  await sync.pause();
  type('ab');
  sync.resume();
  await wait(2_000);
  expect(server.draft?.fields.content).toBe('ab');
});

test('a save waits three seconds for requests that hang, and ignores their late replies', async () => {
  const { server, sync, type, wait } = setUp();
  const late = Promise.withResolvers<Response>();
  server.answer = () => late.promise;
  type('a');
  await wait(1_500);
  const paused = sync.pause();
  await wait(3_000);
  await paused;
  // The server may have stored it.
  expect(sync.savedText()).toEqual({ account: 'ann', draft: 'x', draftUpdatedAt: undefined });
  await sync.saved({ id: 'post', version: 2 });
  late.resolve(Response.json({ id: 'x', updatedAt: 'late' }));
  await wait(0);
  expect(sync.savedText()).toEqual({ account: 'ann', draft: 'post', draftUpdatedAt: undefined });

  server.answer = null;
  type('ab');
  await wait(2_000);
  expect(server.draft?.fields.content).toBe('ab');
});

test('a browser storage that hangs does not block drafts or saves', async () => {
  const { server, shown, storage, sync, type, wait } = setUp();
  storage.hangs = true;
  type('a');
  await wait(2_000);
  expect(shown.at(-1)).toEqual({ at: 'server' });
  server.answer = () => problem(500, 'internal');
  type('ab');
  await wait(5_000);
  expect(shown.at(-1)).toEqual({ at: 'page', why: { detail: 'It is internal.' } });

  await sync.pause();
  const saved = sync.saved({ id: 'post', version: 1 });
  await wait(2_000);
  await saved;
  expect(sync.isUnsent()).toBe(false);
});

test('discarded text is removed from the device and not stored', async () => {
  const { device, server, sync, type, wait } = setUp(false);
  type('a');
  await wait(300);
  await sync.discard();
  expect(device.size).toBe(0);
  type('ab');
  await wait(10_000);
  expect(server.stored).toBe(0);
});

test('held text reports an ended session, and remains held after it', async () => {
  const { device, server, shown, sync, type, wait } = setUp(false);
  server.draft = { fields: { ...empty, content: 'Other' }, updatedAt: 'theirs' };
  sync.hold();
  server.answer = () => problem(401, 'not_signed_in');
  type('a');
  await wait(5_000);
  expect(shown.at(-1)).toEqual({ at: 'device', why: 'signed-out' });
  type('ab');
  await wait(5_000);
  expect(shown.at(-1)).toEqual({ at: 'device', why: 'signed-out' });
  expect(device.get('page')?.fields.content).toBe('ab');

  server.answer = null;
  sync.wake();
  await wait(0);
  expect(shown.at(-1)).toEqual({ at: 'device', why: 'newer-text' });
  expect(server.draft.fields.content).toBe('Other');
});
