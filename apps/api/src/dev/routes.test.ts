import type { PostSaved } from '@app/contract/blog/posts';
import { outbox } from '@app/db/schema/email';
import { expect, test } from 'vitest';
import { enqueueEmail } from '../email/outbox.ts';
import { renderEmail } from '../email-worker.ts';
import {
  makeTestApp,
  signedInBrowser,
  type TestBrowser,
  tokenEmailedTo,
} from '../testing/test-app.ts';
import { testSamplePosts } from '../testing/test-renderer.ts';

const pageAt = (browser: TestBrowser, path: string) =>
  browser.get(`/api/dev/page?path=${encodeURIComponent(path)}`);

test.each([
  '/api/dev/page?path=/blog',
  '/api/dev/emails',
  '/api/dev/emails/templates',
  '/api/dev/emails/templates/0',
])('without DEV_PAGES, there is no %s', async (path) => {
  await using testApp = await makeTestApp({ publishes: true });
  const response = await testApp.browser().get(path);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: 'not_found' });
});

test('replaces sample posts with those from Astro', async () => {
  await using testApp = await makeTestApp({ publishes: true, settings: { devPages: true } });
  const browser = testApp.browser();
  const [sample] = testSamplePosts;
  const edited = { ...sample, slug: 'edited', title: 'Edited', content: 'New **text**' };

  expect((await browser.send('PUT', '/api/dev/sample-posts', [edited])).status).toBe(204);

  expect(await (await pageAt(browser, '/blog')).json()).toMatchObject({
    posts: [{ slug: 'edited', title: 'Edited' }],
  });
  expect(await (await pageAt(browser, '/blog/edited')).json()).toMatchObject({
    post: { title: 'Edited' },
    bodyHtml: '<p dir="auto">New <strong>text</strong></p>\n',
  });
  expect((await pageAt(browser, `/blog/${sample?.slug}`)).status).toBe(404);
  expect(await (await browser.get('/api/posts')).json()).toMatchObject({
    posts: [{ slug: 'edited' }],
  });
});

test('without DEV_PAGES, sample posts cannot be replaced', async () => {
  await using testApp = await makeTestApp();
  const response = await testApp.browser().send('PUT', '/api/dev/sample-posts', []);
  expect(response.status).toBe(404);
});

test('without DEV_PAGES, emails cannot be read', async () => {
  await using testApp = await makeTestApp();
  await signedInBrowser(testApp);
  const [email] = await testApp.deps.db.select().from(outbox);
  const response = await testApp.browser().get(`/api/dev/emails/${email?.id}/html`);
  expect(email?.id).toBeDefined();
  expect(response.status).toBe(404);
});

test('returns the data of each kind of page', async () => {
  await using testApp = await makeTestApp({ publishes: true, settings: { devPages: true } });
  const ann = await signedInBrowser(testApp);
  const created = await ann.post('/api/posts', {
    title: 'Title',
    content: 'Text',
    published: true,
  });
  const { post } = (await created.json()) as PostSaved;
  const visitor = testApp.browser();

  expect(await (await pageAt(visitor, '/blog')).json()).toMatchObject({ kind: 'blog' });
  expect(await (await pageAt(visitor, '/blog/title')).json()).toEqual({
    kind: 'post',
    isRich: false,
    outlineHtml: null,
    words: 1,
    post,
    bodyHtml: '<p dir="auto">Text</p>\n',
    bodyProblem: null,
    neighbors: { previous: null, next: null },
  });
  await visitor.post('/api/newsletter', { email: 'vera@example.com' });
  await testApp.deps.outbox.drain();
  const token = tokenEmailedTo(testApp, 'vera@example.com');
  const confirm = await pageAt(visitor, `/newsletter/confirm?token=${token}`);
  expect(await confirm.json()).toEqual({ kind: 'newsletterConfirm', token });
  expect((await pageAt(visitor, '/newsletter/confirm?token=made-up')).status).toBe(404);
  const refused = await visitor.submit('/api/contact', { name: 'Vera' });
  const again = await pageAt(visitor, refused.headers.get('Location') ?? '');
  expect(await again.json()).toMatchObject({ kind: 'rejectedForm', entries: { name: 'Vera' } });
  expect(await (await pageAt(ann, '/blog/editor/title')).json()).toEqual({
    kind: 'edit',
    links: [],
    post,
    draft: null,
    restored: null,
  });
  const own = { kind: 'profile', email: 'ann@example.com' };
  expect(await (await pageAt(ann, '/profile')).json()).toMatchObject(own);
  expect((await pageAt(visitor, '/profile')).status).toBe(404);
});

test('returns the new address of an email change', async () => {
  await using testApp = await makeTestApp({ settings: { devPages: true } });
  const ann = await signedInBrowser(testApp);
  await ann.post('/api/auth/email', { email: 'ann@new.example' });
  await testApp.deps.outbox.drain();
  const token = tokenEmailedTo(testApp, 'ann@new.example');
  const page = await pageAt(ann, `/auth/change-email?token=${token}`);
  expect(await page.json()).toEqual({ kind: 'emailChange', token, email: 'ann@new.example' });
  expect((await pageAt(ann, '/auth/change-email?token=made-up')).status).toBe(404);
});

test('hides drafts from others in development', async () => {
  await using testApp = await makeTestApp({ publishes: true, settings: { devPages: true } });
  const ann = await signedInBrowser(testApp);
  await ann.post('/api/posts', { title: 'Secret', content: 'Text' });

  for (const path of ['/blog/secret', '/blog/editor/secret']) {
    expect((await pageAt(ann, path)).status).toBe(200);
    expect((await pageAt(testApp.browser(), path)).status).toBe(404);
  }
});

test.each(['', '/', '/contact', '/contact/again/x', '/blog/no-such-post', 'http://'])(
  'returns 404 for %j',
  async (path) => {
    await using testApp = await makeTestApp({ publishes: true, settings: { devPages: true } });
    expect((await pageAt(testApp.browser(), path)).status).toBe(404);
  },
);

const policyOf = (response: Response) => response.headers.get('Content-Security-Policy');

async function emailApp() {
  const testApp = await makeTestApp({ settings: { devPages: true }, renderEmail });
  const insert = (change: object) =>
    testApp.deps.db.transaction((tx) =>
      enqueueEmail(tx, testApp.clock.now(), {
        kind: 'already-registered',
        to: 'ann@example.com',
        subject: 'Hello',
        props: { link: 'https://example.com/confirm?token=abc&x=1' },
        ...change,
      }),
    );
  return { testApp, insert };
}

test('lists emails with their state, newest first', async () => {
  const { testApp, insert } = await emailApp();
  await using _ = testApp;
  insert({ subject: 'First', headers: { 'List-Unsubscribe': '<https://example.com/u>' } });
  await testApp.deps.outbox.drain();
  testApp.clock.move(1_000);
  testApp.emails.answer = () => ({ outcome: 'refused', reason: '422: <no> such domain' });
  insert({ subject: 'Second', replyTo: 'vera@example.com' });
  await testApp.deps.outbox.drain();
  testApp.clock.move(1_000);
  insert({ subject: 'Third & <last>' });

  const response = await testApp.browser().get('/api/dev/emails');
  const html = await response.text();

  expect(response.status).toBe(200);
  expect(policyOf(response)).toBe(
    "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'",
  );
  const listed = [...html.matchAll(/class="state (\w+)".*?<strong>(.*?)<\/strong>/g)];
  expect(listed.map(([, state, subject]) => [state, subject])).toEqual([
    ['queued', 'Third &amp; &lt;last&gt;'],
    ['dead', 'Second'],
    ['sent', 'First'],
  ]);
  expect(html).toContain('3 in all.');
  expect(html).toContain('<dt>Last error</dt><dd>422: &lt;no&gt; such domain</dd>');
  expect(html).toContain('<dt>Reply-To</dt><dd>vera@example.com</dd>');
  expect(html).toContain('<dt>List-Unsubscribe</dt><dd>&lt;https://example.com/u&gt;</dd>');
  expect(html).toContain('<dt>Attempts</dt><dd>1</dd>');
  expect(html).toContain('<a href="https://example.com/confirm?token=abc&amp;x=1">');
});

test('limits the list to the newest emails', async () => {
  const { testApp, insert } = await emailApp();
  await using _ = testApp;
  for (let i = 1; i <= 101; i += 1) {
    insert({ subject: `Email ${i}.` });
    testApp.clock.move(1);
  }
  const html = await (await testApp.browser().get('/api/dev/emails')).text();
  expect(html).toContain('The newest 100 of 101.');
  expect(html).toContain('Email 101.');
  expect(html).not.toContain('Email 1.');
});

test('lists an email that cannot be rendered with the reason', async () => {
  const { testApp, insert } = await emailApp();
  await using _ = testApp;
  insert({ kind: 'no-such-kind' });
  const html = await (await testApp.browser().get('/api/dev/emails')).text();
  expect(html).toContain('It cannot be rendered: there is no template &quot;no-such-kind&quot;');
});

test('explains an empty outbox', async () => {
  const { testApp } = await emailApp();
  await using _ = testApp;
  const html = await (await testApp.browser().get('/api/dev/emails')).text();
  expect(html).toContain('None yet.');
});

test('shows an email in both themes, sandboxed', async () => {
  const { testApp, insert } = await emailApp();
  await using _ = testApp;
  insert({});
  const [email] = await testApp.deps.db.select().from(outbox);
  const url = `/api/dev/emails/${email?.id}/html`;

  const byDay = await testApp.browser().get(url);
  const byNight = await testApp.browser().get(`${url}?hour=night`);

  expect(policyOf(byDay)).toBe("sandbox; default-src 'none'; style-src 'unsafe-inline'");
  expect(policyOf(byNight)).toBe(policyOf(byDay));
  const day = await byDay.text();
  expect(day).toContain('You already have an account');
  expect(day).toContain('@media not all{');
  expect(await byNight.text()).toBe(day.replace('@media not all{', '@media all{'));
});

test('shows each template in both widths and themes', async () => {
  const { testApp } = await emailApp();
  await using _ = testApp;
  const html = await (await testApp.browser().get('/api/dev/emails/templates')).text();
  const frames = [...html.matchAll(/<iframe sandbox="" [^>]*src="([^"]*)" width="(\d+)"/g)];
  const templates = new Set(frames.map(([, url = '']) => url.split('?')[0] ?? ''));

  expect(frames).toHaveLength(4 * templates.size);
  expect(templates.size).toBeGreaterThan(8);
  for (const template of templates) {
    const shown = await testApp.browser().get(`${template}?hour=night`);
    expect(shown.status).toBe(200);
    expect(policyOf(shown)).toMatch(/^sandbox;/);
    expect(await shown.text()).toContain('@media all{.page');
  }
});

test.each([
  '/api/dev/emails/no-such-email/html',
  '/api/dev/emails/templates/99',
  '/api/dev/emails/templates/-1',
  '/api/dev/emails/templates/length',
  '/api/dev/emails/templates/toString',
])('shows no email at %s', async (path) => {
  const { testApp } = await emailApp();
  await using _ = testApp;
  expect((await testApp.browser().get(path)).status).toBe(404);
});
