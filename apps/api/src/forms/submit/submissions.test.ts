import { randomUUID } from 'node:crypto';
import { day, hour } from '@app/contract/durations';
import { idempotencyKeyHeader } from '@app/contract/forms/submit';
import { outbox } from '@app/db/schema/email';
import { idempotencyKeys } from '@app/db/schema/forms/submit';
import { describe, expect, test } from 'vitest';
import { emailedKinds, postWith, testedForms } from '../../testing/submissions.ts';
import { allRows } from '../../testing/tables.ts';
import { makeTestApp, type TestApp, type TestBrowser } from '../../testing/test-app.ts';
import { deleteExpired } from './cleanup.ts';

describe.each(testedForms)('$name', ({ name, path, sent, table, emails, rows }) => {
  const sendWithKey = (testApp: TestApp, key: string, body: object = sent) =>
    postWith(testApp.browser(), path, body, { [idempotencyKeyHeader]: key });

  test('is stored with its emails', async () => {
    await using testApp = await makeTestApp();
    const response = await testApp.browser().post(path, sent);
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({ stored: true });
    expect(await rows(testApp)).toMatchObject([{ ...sent, spamSignals: null }]);
    expect(await emailedKinds(testApp)).toEqual(emails);
  });

  test.each([table, 'outbox', 'idempotency_keys'])(
    'stores the row, emails and key in one commit (%s fails)',
    async (failing) => {
      await using testApp = await makeTestApp();
      const { db } = testApp.deps;
      db.$client.exec(
        `CREATE TRIGGER full BEFORE INSERT ON ${failing} BEGIN SELECT RAISE(ABORT, 'disk is full'); END`,
      );
      const key = randomUUID();

      const response = await sendWithKey(testApp, key);

      expect(response.status).toBe(500);
      const problem = await response.text();
      expect(JSON.parse(problem)).toMatchObject({ code: 'internal' });
      expect(problem).not.toContain('disk');
      expect(await rows(testApp)).toEqual([]);
      expect(await db.select().from(outbox)).toEqual([]);
      expect(await db.select().from(idempotencyKeys)).toEqual([]);

      // The failed request did not use up the key.
      db.$client.exec('DROP TRIGGER full');
      expect((await sendWithKey(testApp, key)).status).toBe(201);
      expect(await rows(testApp)).toHaveLength(1);
      expect(await emailedKinds(testApp)).toEqual(emails);
    },
  );

  test('is stored while the email service is down', async () => {
    await using testApp = await makeTestApp();
    testApp.emails.answer = () => ({ outcome: 'failed', reason: '503' });
    expect((await testApp.browser().post(path, sent)).status).toBe(201);
    expect(await emailedKinds(testApp)).toEqual([]);

    testApp.emails.answer = () => ({ outcome: 'sent' });
    testApp.clock.move(hour);
    expect(await emailedKinds(testApp)).toEqual(emails);
  });

  describe('a repeated submission', () => {
    test('with the same key is stored once, with the same reply', async () => {
      await using testApp = await makeTestApp();
      const key = randomUUID();
      for (const sameKey of [key, key, key.toUpperCase(), `"${key}"`]) {
        const response = await sendWithKey(testApp, sameKey);
        expect(response.status).toBe(201);
        expect(await response.json()).toEqual({ stored: true });
        testApp.clock.move(day);
      }
      expect(await rows(testApp)).toHaveLength(1);
      expect(await emailedKinds(testApp)).toEqual(emails);
    });

    test('with another key is stored again', async () => {
      await using testApp = await makeTestApp();
      await sendWithKey(testApp, randomUUID());
      await sendWithKey(testApp, randomUUID());
      expect(await rows(testApp)).toHaveLength(2);
    });

    test('with the same key but another text is rejected', async () => {
      await using testApp = await makeTestApp();
      const key = randomUUID();
      await sendWithKey(testApp, key);
      await testApp.deps.outbox.drain();
      const before = allRows(testApp.deps.db);
      const response = await sendWithKey(testApp, key, { ...sent, message: 'Something else.' });
      expect(response.status).toBe(422);
      expect(await response.json()).toMatchObject({ code: 'idempotency_key_reused' });
      expect(allRows(testApp.deps.db)).toEqual(before);
    });

    test.each([
      ['with a key', { [idempotencyKeyHeader]: randomUUID() }],
      ['without one', {}],
    ])('sent 50 times concurrently %s is stored once', async (_, headers) => {
      await using testApp = await makeTestApp();
      const browser = testApp.browser();
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => postWith(browser, path, sent, headers)),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
      expect(await rows(testApp)).toMatchObject([{ spamSignals: null }]);
      expect(await emailedKinds(testApp)).toEqual(emails);
    });

    test('sent 50 times concurrently with one key and two texts is stored once', async () => {
      await using testApp = await makeTestApp();
      const key = randomUUID();
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) =>
          sendWithKey(testApp, key, { ...sent, message: `Text number ${i % 2}` }),
        ),
      );
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([...Array<number>(25).fill(201), ...Array<number>(25).fill(422)]);
      expect(await rows(testApp)).toHaveLength(1);
      expect(await emailedKinds(testApp)).toEqual(emails);
    });

    test('without a key, the same text is stored once in 24 hours', async () => {
      await using testApp = await makeTestApp();
      await testApp.browser().submit(path, { ...sent });
      testApp.clock.move(day - 1);
      const reloaded = await testApp.browser().submit(path, { ...sent });
      expect(reloaded.headers.get('Location')).toBe(`/${name}#sent`);
      expect(await rows(testApp)).toHaveLength(1);

      testApp.clock.move(1);
      await testApp.browser().submit(path, { ...sent });
      expect(await rows(testApp)).toHaveLength(2);
      await testApp.browser().submit(path, { ...sent, message: `${sent.message} Really.` });
      expect(await rows(testApp)).toHaveLength(3);
    });

    test('with a key and without one is stored once', async () => {
      await using testApp = await makeTestApp();
      const sendForm = () => testApp.browser().submit(path, { ...sent });
      for (const send of [sendForm, () => sendWithKey(testApp, randomUUID()), sendForm]) {
        expect((await send()).status).toBeLessThan(400);
        expect(await rows(testApp)).toHaveLength(1);
      }
      testApp.clock.move(day);
      await sendWithKey(testApp, randomUUID());
      expect(await rows(testApp)).toHaveLength(2);
      await sendForm();
      expect(await rows(testApp)).toHaveLength(2);
      expect((await emailedKinds(testApp)).sort()).toEqual([...emails, ...emails].sort());
    });

    test('with the same key is stored again after 30 days', async () => {
      await using testApp = await makeTestApp();
      const key = randomUUID();
      await sendWithKey(testApp, key);
      testApp.clock.move(30 * day - 1);
      await deleteExpired(testApp.deps);
      await sendWithKey(testApp, key);
      expect(await rows(testApp)).toHaveLength(1);

      testApp.clock.move(1);
      await deleteExpired(testApp.deps);
      expect(await testApp.deps.db.select().from(idempotencyKeys)).toEqual([]);
      await sendWithKey(testApp, key);
      expect(await rows(testApp)).toHaveLength(2);
    });

    test.each(['', '1', 'key', randomUUID().slice(1), `${randomUUID()}0`, 'x'.repeat(100)])(
      'rejects the key %j',
      async (key) => {
        await using testApp = await makeTestApp();
        const response = await sendWithKey(testApp, key);
        expect(response.status).toBe(400);
        expect(await response.json()).toMatchObject({
          code: 'invalid_idempotency_key',
          detail: expect.stringContaining('UUID'),
        });
        expect(await rows(testApp)).toEqual([]);
      },
    );
  });

  describe('spam', () => {
    const fetchFormToken = async (browser: TestBrowser): Promise<string> => {
      const response = await browser.get('/api/forms/token');
      expect(response.headers.get('Cache-Control')).toBe('no-store');
      return ((await response.json()) as { token: string }).token;
    };

    test('gets the same reply, and is stored but not emailed', async () => {
      await using testApp = await makeTestApp();
      const response = await testApp.browser().post(path, { ...sent, homepage: 'https://x.test' });
      expect(response.status).toBe(201);
      expect(await response.json()).toEqual({ stored: true });
      expect(await rows(testApp)).toMatchObject([
        { ...sent, spamSignals: ['the hidden field is filled in'] },
      ]);
      expect(await emailedKinds(testApp)).toEqual([]);

      const form = { ...sent, homepage: 'x', message: 'Another text, from a form.' };
      const page = await testApp.browser().submit(path, form);
      expect(page.headers.get('Location')).toBe(`/${name}#sent`);
      expect(await emailedKinds(testApp)).toEqual([]);
    });

    test('excludes an empty hidden field and a valid form token of any age', async () => {
      await using testApp = await makeTestApp();
      const browser = testApp.browser();
      const formToken = await fetchFormToken(browser);
      testApp.clock.move(2_000);
      await browser.post(path, { ...sent, homepage: '', formToken });
      testApp.clock.move(30 * day);
      await browser.post(path, { ...sent, message: 'From a page left open.', formToken });
      expect((await rows(testApp)).map(({ spamSignals }) => spamSignals)).toEqual([null, null]);
    });

    test('includes a form token that is too new or forged', async () => {
      await using testApp = await makeTestApp();
      const browser = testApp.browser();
      const formToken = await fetchFormToken(browser);
      testApp.clock.move(1_999);
      await browser.post(path, { ...sent, formToken });
      await browser.post(path, { ...sent, message: 'Another text.', formToken: `1${formToken}` });
      expect((await rows(testApp)).map(({ spamSignals }) => spamSignals)).toEqual([
        ['sent within two seconds'],
        ['the form token is forged'],
      ]);
    });

    test('includes the same text from many addresses, ignoring white space', async () => {
      await using testApp = await makeTestApp();
      const texts = Array.from(
        { length: 4 },
        (_, i) =>
          `We rank your website first on every search engine, ${' '.repeat(i)}or your money back.`,
      );
      for (const message of texts) await testApp.browser().post(path, { ...sent, message });
      expect((await rows(testApp)).map(({ spamSignals }) => spamSignals)).toEqual([
        null,
        null,
        null,
        ['the same text again and again'],
      ]);
    });
  });

  describe('from one address', () => {
    const sendMany = async (browser: TestBrowser, from: number, to: number) => {
      for (let i = from; i <= to; i++) {
        const response = await browser.post(path, { ...sent, message: `Message number ${i}` });
        expect(response.status).toBe(201);
      }
    };

    test('quarantines more than ten per hour, rejects more than thirty', async () => {
      await using testApp = await makeTestApp();
      const browser = testApp.browser();
      await sendMany(browser, 1, 30);
      const held = (await rows(testApp)).map(({ spamSignals }) => spamSignals);
      expect(held).toEqual([
        ...Array<null>(10).fill(null),
        ...Array<string[]>(20).fill(['many from one address']),
      ]);

      testApp.clock.move(20 * 60 * 1_000);
      const refused = await browser.post(path, { ...sent, message: 'One too many.' });
      expect(refused.status).toBe(429);
      expect(refused.headers.get('Retry-After')).toBe(String(40 * 60));
      expect(await refused.json()).toMatchObject({
        code: 'too_many_requests',
        detail:
          'Too many messages were sent from your network in the last hour. Please try again in 40 minutes.',
      });
      expect(await rows(testApp)).toHaveLength(30);
      // Stored submissions still get the same reply, and other addresses are not limited.
      expect((await browser.post(path, { ...sent, message: 'Message number 1' })).status).toBe(201);
      expect((await testApp.browser().post(path, sent)).status).toBe(201);

      testApp.clock.move(40 * 60 * 1_000);
      expect((await browser.post(path, { ...sent, message: 'An hour later.' })).status).toBe(201);
      expect((await rows(testApp)).at(-1)).toMatchObject({ spamSignals: null });
    });

    test('does not count invalid submissions', async () => {
      await using testApp = await makeTestApp();
      const browser = testApp.browser();
      for (let i = 0; i < 40; i++) {
        expect((await browser.post(path, { ...sent, email: 'nobody' })).status).toBe(422);
      }
      expect((await browser.post(path, sent)).status).toBe(201);
    });

    test('saves the entries of a rejected form without JavaScript', async () => {
      await using testApp = await makeTestApp();
      const browser = testApp.browser();
      await sendMany(browser, 1, 30);
      const refused = await browser.submit(path, { ...sent, message: 'One too many.' });
      expect(refused.status).toBe(303);
      const page = await browser.get(refused.headers.get('Location') ?? '');
      expect(await page.text()).toContain('One too many.');
    });
  });

  describe('without JavaScript', () => {
    const refuse = async (testApp: TestApp, fields: Record<string, string> = {}) => {
      const typed = { ...sent, email: 'nobody', ...fields };
      const response = await testApp.browser().submit(path, typed);
      expect(response.status).toBe(303);
      return response.headers.get('Location') ?? '';
    };

    test('redirects to the result', async () => {
      await using testApp = await makeTestApp();
      const response = await testApp.browser().submit(path, { ...sent });
      expect(response.status).toBe(303);
      expect(response.headers.get('Location')).toBe(`/${name}#sent`);
      expect(await rows(testApp)).toMatchObject([sent]);
    });

    test('redirects to the form with the saved entries', async () => {
      await using testApp = await makeTestApp();
      const url = await refuse(testApp, { homepage: '', formToken: '', surprise: 'x' });
      expect(url).toMatch(new RegExp(`^/${name}/again/[\\w-]{43}$`));

      const page = await testApp.browser().get(url);
      expect(page.status).toBe(200);
      expect(page.headers.get('Cache-Control')).toBe('private, no-store');
      const [, data = ''] = /<pre>(.*)<\/pre>/.exec(await page.text()) ?? [];
      expect(JSON.parse(data)).toEqual({
        kind: 'rejectedForm',
        form: name,
        entries: { ...sent, email: 'nobody' },
        issues: [
          { path: 'email', message: 'Please enter a valid email address.' },
          { path: 'surprise', message: 'Unknown field.' },
        ],
      });
      // The URL grants access, so it must not be stored.
      expect(JSON.stringify(allRows(testApp.deps.db))).not.toContain(url.split('/').at(-1));
    });

    test('deletes saved entries after an hour', async () => {
      await using testApp = await makeTestApp();
      const url = await refuse(testApp);
      testApp.clock.move(hour - 1);
      expect((await testApp.browser().get(url)).status).toBe(200);
      testApp.clock.move(1);
      const gone = await testApp.browser().get(url);
      expect([gone.status, gone.headers.get('Location')]).toEqual([303, `/${name}`]);

      await refuse(testApp, { message: 'Somebody else’s.' });
      expect(allRows(testApp.deps.db)['saved_entries']).toHaveLength(1);
      testApp.clock.move(hour);
      await deleteExpired(testApp.deps);
      expect(allRows(testApp.deps.db)['saved_entries']).toEqual([]);
    });

    test('shows saved entries only with their token', async () => {
      await using testApp = await makeTestApp();
      const url = await refuse(testApp);
      const other = name === 'contact' ? 'careers' : 'contact';
      for (const wrong of [
        `/${name}/again/x`,
        `/${name}/again/${'x'.repeat(43)}`,
        url.replace(name, other),
      ]) {
        expect((await testApp.browser().get(wrong)).status).toBe(303);
      }
    });

    test('rejects entries that are too large to save', async () => {
      await using testApp = await makeTestApp();
      expect(await refuse(testApp, { message: 'x'.repeat(40_000) })).toBe(`/${name}#invalid`);
      expect(allRows(testApp.deps.db)['saved_entries']).toEqual([]);
    });

    test('limits saved entries per address and in total', async () => {
      await using testApp = await makeTestApp();
      const browser = testApp.browser();
      const urls: unknown[] = [];
      for (let i = 0; i < 31; i++) {
        const response = await browser.submit(path, { ...sent, email: 'nobody' });
        urls.push(response.headers.get('Location'));
      }
      expect(urls.indexOf(`/${name}#invalid`)).toBe(30);

      const insert = testApp.deps.db.$client.prepare(
        "INSERT INTO saved_entries VALUES (?, 'contact', '{}', '[]', ?)",
      );
      for (let i = 0; i < 1_200; i++) insert.run(`hash ${i}`, testApp.clock.now());
      testApp.clock.move(1);
      const newest = await refuse(testApp);
      expect(allRows(testApp.deps.db)['saved_entries']).toHaveLength(1_000);
      expect((await testApp.browser().get(newest)).status).toBe(200);
    });

    test('reports a storage failure', async () => {
      await using testApp = await makeTestApp();
      testApp.deps.db.$client.exec(`DROP TABLE ${table}`);
      const response = await testApp.browser().submit(path, { ...sent });
      expect(response.headers.get('Location')).toBe(`/${name}#failed`);
    });
  });
});

test('finds the same content by an index, however many submissions there are', async () => {
  await using testApp = await makeTestApp();
  const { $client: client } = testApp.deps.db;
  const plan = client
    .prepare<[], { detail: string }>(
      `EXPLAIN QUERY PLAN SELECT key FROM idempotency_keys
       WHERE form = 'contact' AND body_hash = 'a' AND created_at > 1 AND created_at < 2`,
    )
    .all();
  expect(plan.map(({ detail }) => detail).join()).toContain('idempotency_keys_content');
});
