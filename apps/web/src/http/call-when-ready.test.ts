import { type ProblemCode, problems } from '@app/contract/problems';
import { beforeEach, expect, test, vi } from 'vitest';
import { callWhenReady } from './call-when-ready.ts';

const refusal = (code: ProblemCode, retryAfter?: number) =>
  new Response(JSON.stringify({ code, status: problems[code].status }), {
    status: problems[code].status,
    headers: {
      'Content-Type': 'application/problem+json',
      ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
    },
  });

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

/** Calls an API that returns these responses in order and repeats the last one. */
async function call(...responses: (() => Response)[]) {
  const started = Date.now();
  const fetch = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(
      async () => (responses.length > 1 ? responses.shift() : responses[0])?.() as Response,
    );
  const reply = callWhenReady('PATCH', '/api/profile', { username: 'ann' });
  await vi.runAllTimersAsync();
  return { reply: await reply, calls: fetch.mock.calls.length, waited: Date.now() - started };
}

const stored = () => Response.json({ username: 'ann' });

test('retries a busy server after its Retry-After', async () => {
  const { reply, calls, waited } = await call(() => refusal('busy', 5), stored);
  expect(reply).toEqual({ ok: true, value: { username: 'ann' } });
  expect(calls).toBe(2);
  expect(waited).toBeGreaterThanOrEqual(5_000);
});

test('gives up after 20 seconds', async () => {
  const { reply, calls, waited } = await call(() => refusal('busy'));
  expect(reply).toMatchObject({ ok: false, problem: { status: 503 } });
  expect(calls).toBeGreaterThan(2);
  expect(waited).toBeLessThanOrEqual(20_000);

  const { calls: callsOfLongPause } = await call(() => refusal('busy', 60));
  expect(callsOfLongPause).toBe(calls + 1);
});

test.each(['internal', 'too_many_requests', 'invalid_credentials'] as const)(
  'does not retry after %s',
  async (code) => {
    const { calls } = await call(() => refusal(code, 1));
    expect(calls).toBe(1);
  },
);

test('does not retry when the API is unreachable', async () => {
  const { calls } = await call(() => {
    throw new TypeError('fetch failed');
  });
  expect(calls).toBe(1);
});
