import { type Problem, type ProblemCode, problems } from '@app/contract/problems';
import { describe, expect, it } from 'vitest';
import type { Failure } from './call-api.ts';
import { waitBeforeRetry } from './retry.ts';

const failure = (code: ProblemCode | null, retryAfter: number | null = null): Failure => ({
  ok: false,
  problem: code && ({ code, status: problems[code].status } as Problem),
  retryAfter,
});

const middle = () => 0.5;

describe('waitBeforeRetry', () => {
  it('doubles up to a minute', () => {
    const waits = [0, 1, 2, 3, 4, 5, 6, 60, 2_000].map((tries) =>
      waitBeforeRetry(failure(null), tries, middle),
    );
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000, 60_000]);
  });

  it('varies by up to a quarter', () => {
    expect(waitBeforeRetry(failure(null), 9, () => 0)).toBe(45_000);
    expect(waitBeforeRetry(failure(null), 9, () => 1)).toBe(75_000);
  });

  it('is never shorter than Retry-After', () => {
    expect(waitBeforeRetry(failure('too_many_requests', 900), 0, middle)).toBe(900_000);
    expect(waitBeforeRetry(failure('too_many_requests', 1), 0, middle)).toBe(2_000);
    expect(waitBeforeRetry(failure('busy'), 0, middle)).toBe(2_000);
  });

  it.each([408, 429, 503])('returns a delay for status %i, whatever its code', (status) => {
    const problem = { code: 'unheard_of' as ProblemCode, status } as Problem;
    expect(waitBeforeRetry({ ok: false, problem, retryAfter: 30 }, 0, middle)).toBe(30_000);
  });

  it.each(['internal', 'invalid_input', 'idempotency_key_reused', 'forbidden_origin'] as const)(
    'returns null after %s',
    (code) => {
      expect(waitBeforeRetry(failure(code, 5), 0)).toBeNull();
    },
  );
});
