import * as v from 'valibot';
import { expect, test } from 'vitest';
import { messages } from './messages.ts';
import { newsletterSubscription } from './newsletter.ts';

const messagesOf = (input: unknown): string[] =>
  (v.safeParse(newsletterSubscription, input).issues ?? []).map((issue) => issue.message);

test('an address is trimmed, and compared in lower case', () => {
  expect(v.parse(newsletterSubscription, { email: ' Ann@Example.com ' })).toEqual({
    email: 'ann@example.com',
  });
});

test.each([undefined, '', '  ', 'ann', 'ann at example.com'])('%j is no address', (email) => {
  expect(messagesOf({ email })).toContain(messages.newsletter.invalid.description);
});

test('a field that the form does not have is refused', () => {
  expect(v.safeParse(newsletterSubscription, { email: 'a@example.com', id: '1' }).success).toBe(
    false,
  );
});
