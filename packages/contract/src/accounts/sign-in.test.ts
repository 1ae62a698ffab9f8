import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { limits } from '../limits.ts';
import { messages } from '../messages.ts';
import { accountMessages } from './messages.ts';
import { confirmation, credentials, resendConfirmation } from './sign-in.ts';

const messagesOf = (schema: v.GenericSchema, input: unknown): string[] =>
  (v.safeParse(schema, input).issues ?? []).map((issue) => issue.message);

const password = 'correct horse';

describe('an address', () => {
  test('is trimmed and in lower case, so that it is one account however it is typed', () => {
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
  ])('%j is refused', (email) => {
    expect(messagesOf(credentials, { email, password })).toContain(messages.field.emailInvalid);
  });

  test('is refused when it is longer than mail allows', () => {
    const email = `${'a'.repeat(limits.email)}@example.com`;
    expect(messagesOf(credentials, { email, password })).toContain(
      messages.field.tooLong(limits.email),
    );
  });

  test('that is missing is asked for in the words of the form', () => {
    expect(messagesOf(credentials, { password })).toContain(messages.field.emailRequired);
    expect(messagesOf(resendConfirmation, { email: ' ' })).toContain(
      accountMessages.confirmation.emailRequired,
    );
  });
});

describe('a password', () => {
  const email = 'ann@example.com';

  test('is kept exactly as typed', () => {
    expect(v.parse(credentials, { email, password: '  Pässword ' }).password).toBe('  Pässword ');
  });

  test.each([
    ['', messages.field.passwordRequired],
    ['12345', messages.field.passwordTooShort],
    ['x'.repeat(limits.passwordMax + 1), messages.field.tooLong(limits.passwordMax)],
  ])('%j is refused', (refused, message) => {
    expect(messagesOf(credentials, { email, password: refused })).toContain(message);
  });

  test.each(['123456', 'x'.repeat(limits.passwordMax)])('%j is taken', (taken) => {
    expect(messagesOf(credentials, { email, password: taken })).toEqual([]);
  });
});

test.each([{}, { token: '' }, { token: 'x'.repeat(201) }])('the link %j is incomplete', (link) => {
  expect(messagesOf(confirmation, link)).toContain(messages.field.tokenRequired);
});

test('nobody gives themselves a role', () => {
  const input = { email: 'ann@example.com', password, role: 'staff' };
  expect(v.safeParse(credentials, input).success).toBe(false);
});
