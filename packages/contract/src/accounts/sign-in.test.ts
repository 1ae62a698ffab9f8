import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { limits } from '../limits.ts';
import { messages } from '../messages.ts';
import { accountMessages } from './messages.ts';
import { confirmation, credentials, resendConfirmation } from './sign-in.ts';

const messagesOf = (schema: v.GenericSchema, input: unknown): string[] =>
  (v.safeParse(schema, input).issues ?? []).map((issue) => issue.message);

const password = 'correct horse';

describe('email', () => {
  test('is trimmed and lowercased', () => {
    expect(v.parse(credentials, { email: ' Ann@Example.COM ', password }).email).toBe(
      'ann@example.com',
    );
  });

  test.each([
    'ann',
    'ann@',
    '@example.com',
    'a b@example.com',
    'ann@example.com\nBcc: b@example.com',
  ])('rejects %j', (email) => {
    expect(messagesOf(credentials, { email, password })).toContain(messages.field.emailInvalid);
  });

  test('is rejected when too long', () => {
    const email = `${'a'.repeat(limits.email)}@example.com`;
    expect(messagesOf(credentials, { email, password })).toContain(
      messages.field.tooLong(limits.email),
    );
  });

  test('is required', () => {
    expect(messagesOf(credentials, { password })).toContain(messages.field.emailRequired);
    expect(messagesOf(resendConfirmation, { email: ' ' })).toContain(
      accountMessages.confirmation.emailRequired,
    );
  });
});

describe('password', () => {
  const email = 'ann@example.com';

  test('is neither trimmed nor changed', () => {
    expect(v.parse(credentials, { email, password: '  Pässword ' }).password).toBe('  Pässword ');
  });

  test.each([
    ['', messages.field.passwordRequired],
    ['12345', messages.field.passwordTooShort],
    ['x'.repeat(limits.passwordMax + 1), messages.field.tooLong(limits.passwordMax)],
  ])('rejects %j', (refused, message) => {
    expect(messagesOf(credentials, { email, password: refused })).toContain(message);
  });

  test.each(['123456', 'x'.repeat(limits.passwordMax)])('accepts %j', (taken) => {
    expect(messagesOf(credentials, { email, password: taken })).toEqual([]);
  });
});

test.each([{}, { token: '' }, { token: 'x'.repeat(201) }])(
  'rejects a missing, empty or long token: %j',
  (link) => {
    expect(messagesOf(confirmation, link)).toContain(messages.field.tokenRequired);
  },
);

test('rejects a role', () => {
  const input = { email: 'ann@example.com', password, role: 'staff' };
  expect(v.safeParse(credentials, input).success).toBe(false);
});
