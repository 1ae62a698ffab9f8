import { expect, test } from 'vitest';
import { makeTestApp, signedInBrowser } from '../testing/test-app.ts';

const prerender = (destination: string) => ({
  headers: { 'Sec-Purpose': 'prefetch;prerender', 'Sec-Fetch-Dest': destination },
});

test.each([
  '/blog/secret-plan',
  '/blog/editor/secret-plan',
  '/profile',
  '/newsletter/confirm?token=x',
  '/blog/search?q=plan',
])('does not prerender %s', async (path) => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  await ann.post('/api/posts', { title: 'Secret plan', content: 'Text' });

  const speculative = await ann.request('GET', path, prerender('document'));
  expect([speculative.status, await speculative.text()]).toEqual([503, '']);
  expect(speculative.headers.get('Set-Cookie')).toBeNull();
  expect((await ann.get(path)).status).not.toBe(503);
});

test('prerenders a page that is the same for everyone', async () => {
  await using testApp = await makeTestApp();
  const reply = await testApp.browser().request('GET', '/blog/search', prerender('document'));
  expect(reply.status).toBe(200);
});

test('serves what a prerendered page loads', async () => {
  await using testApp = await makeTestApp();
  const reply = await testApp.browser().request('GET', '/api/auth/session', prerender('empty'));
  expect(reply.status).toBe(200);
});
