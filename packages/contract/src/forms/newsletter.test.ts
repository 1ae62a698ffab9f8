import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { day, minute } from '../durations.ts';
import {
  type ConfirmationRequests,
  newsletterMessages,
  newsletterSubscription,
  nextConfirmation,
} from './newsletter.ts';

const messagesOf = (input: unknown): string[] =>
  (v.safeParse(newsletterSubscription, input).issues ?? []).map((issue) => issue.message);

test('trims and lowercases the email', () => {
  expect(v.parse(newsletterSubscription, { email: ' Ann@Example.com ' })).toEqual({
    email: 'ann@example.com',
  });
});

test.each([undefined, '', '  ', 'ann', 'ann at example.com'])('rejects %j', (email) => {
  expect(messagesOf({ email })).toContain(newsletterMessages.invalid.description);
});

test('rejects unknown fields', () => {
  expect(v.safeParse(newsletterSubscription, { email: 'a@example.com', id: '1' }).success).toBe(
    false,
  );
});

describe('nextConfirmation', () => {
  const email = 'ann@example.com';

  const requestAt = (...times: number[]) => {
    let last: ConfirmationRequests | undefined;
    return times.map((time) => {
      const next = nextConfirmation(last, email, time);
      if ('waitSeconds' in next) return next.waitSeconds;
      last = next.requests;
      return next.sent;
    });
  };

  test('allows three emails a minute apart, and the next one a day later', () => {
    expect(requestAt(0, 1, minute - 1, minute)).toEqual(['first', 60, 1, 'again']);
    expect(requestAt(0, minute, 2 * minute, 3 * minute)).toEqual([
      'first',
      'again',
      'again',
      86_340,
    ]);
    expect(requestAt(0, minute, 2 * minute, 2 * minute + day)).toEqual([
      'first',
      'again',
      'again',
      'first',
    ]);
  });

  test('starts over for another address', () => {
    const last = { email: 'bob@example.com', count: 3, at: 0 };
    expect(nextConfirmation(last, email, 1)).toMatchObject({ sent: 'first' });
  });
});
