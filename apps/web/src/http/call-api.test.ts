import { expect, test, vi } from 'vitest';
import { callApi } from './call-api.ts';

async function sent(...call: Parameters<typeof callApi>): Promise<RequestInit & { path: unknown }> {
  const fetch = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async () => new Response(null, { status: 204 }));
  await callApi(...call);
  const [path, init] = fetch.mock.lastCall ?? [];
  return { path, ...init };
}

const headers = { 'Idempotency-Key': 'a-key' };

test('sends headers with a body', async () => {
  expect(await sent('POST', '/api/contact', { name: 'Ann' }, { headers })).toMatchObject({
    path: '/api/contact',
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{"name":"Ann"}',
  });
});

test('sends headers without a body', async () => {
  const request = await sent('DELETE', '/api/account', undefined, { headers });
  expect(request.headers).toEqual(headers);
  expect(request.body).toBeUndefined();
});
