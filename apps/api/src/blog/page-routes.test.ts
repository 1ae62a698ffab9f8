import { expect, test } from 'vitest';
import { makeTestApp, signedInBrowser, type TestBrowser } from '../testing/test-app.ts';

const draft = { title: 'Secret plan', content: 'Text' };

const bodyOf = async (browser: TestBrowser, path: string) => (await browser.get(path)).text();

test('the page of a draft is drawn for its author alone, and kept by nobody', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, 'ann@example.com');
  await ann.post('/api/posts', draft);

  const page = await ann.get('/blog/secret-plan');

  expect(page.status).toBe(200);
  expect(page.headers.get('Content-Type')).toMatch(/^text\/html/);
  expect(page.headers.get('Cache-Control')).toBe('private, no-store');
  expect(await page.text()).toContain('"kind":"post"');
});

test('everybody else gets the page of what is not there, as for any address', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, 'ann@example.com');
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  await ann.post('/api/posts', draft);

  for (const browser of [bob, testApp.browser()]) {
    const page = await browser.get('/blog/secret-plan');
    expect(page.status).toBe(404);
    expect(page.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(await page.text()).toBe(await bodyOf(browser, '/blog/no-such-post'));
  }
});

test('the editor of a post is for who may change it; others are led to the blog', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, 'ann@example.com');
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  await ann.post('/api/posts', draft);

  expect(await bodyOf(ann, '/blog/editor/secret-plan')).toContain('"kind":"edit"');
  for (const browser of [bob, testApp.browser()]) {
    const page = await browser.get('/blog/editor/secret-plan');
    expect([page.status, page.headers.get('Location')]).toEqual([303, '/blog']);
  }
});

test('with AUTHORING=team, a member does not get the editor', async () => {
  await using testApp = await makeTestApp({ settings: { authoring: 'team' } });
  const member = await signedInBrowser(testApp);
  const page = await member.get('/blog/editor/secret-plan');
  expect([page.status, page.headers.get('Location')]).toEqual([303, '/blog']);
});
