import * as v from 'valibot';
import { expect, test } from 'vitest';
import { emailChange } from './accounts/settings.ts';
import { credentials, forgottenPassword, resendConfirmation } from './accounts/sign-in.ts';
import { isEmailAddress, normalizeEmail } from './email-address.ts';
import { careerInquiry } from './forms/careers.ts';
import { contactMessage } from './forms/contact.ts';
import { newsletterSubscription } from './forms/newsletter.ts';
import { limits } from './limits.ts';
import { messages } from './messages.ts';

const forms = {
  credentials: [credentials, { password: 'correct horse' }],
  resendConfirmation: [resendConfirmation, {}],
  forgottenPassword: [forgottenPassword, {}],
  emailChange: [emailChange, {}],
  contact: [contactMessage, { name: 'Vera', message: 'Hello' }],
  careers: [careerInquiry, { name: 'Vera', message: 'Hello, it is me.' }],
  newsletter: [newsletterSubscription, {}],
} as const;

const emailIn = (schema: v.GenericSchema, others: object, email: string): unknown => {
  const parsed = v.safeParse(schema, { ...others, email });
  return parsed.success ? (parsed.output as { email: string }).email : parsed.issues[0].message;
};

/** All of them are accepted by `<input type="email">`. */
const valid: readonly [typed: string, stored: string][] = [
  ["pat.o'brien@example.com", "pat.o'brien@example.com"],
  ['info@xn--mller-kva.example', 'info@xn--mller-kva.example'],
  ['a@x.xn--p1ai', 'a@x.xn--p1ai'],
  ['user&co@example.com', 'user&co@example.com'],
  ["!#$%&'*+/=?^_`{|}~-.@example.com", "!#$%&'*+/=?^_`{|}~-.@example.com"],
  ['ann@localhost', 'ann@localhost'],
  ['ann@192.0.2.1', 'ann@192.0.2.1'],
  [' Ann@Example.COM ', 'ann@example.com'],
  ['Info@MÜLLER.example', 'info@xn--mller-kva.example'],
  ['post@пример.рф', 'post@xn--e1afmkfd.xn--p1ai'],
];

const invalid = [
  'ann',
  'ann@',
  '@example.com',
  'a@b@example.com',
  'ann @example.com',
  'ann@example.com.',
  'ann@-example.com',
  'ann@exa_mple.com',
  'ann@[192.0.2.1]',
  `ann@${'a'.repeat(64)}.example`,
  '"ann"@example.com',
  'Ann <ann@example.com>',
  'ann@example.com,bob@example.com',
  'ann@example.com\nBcc: bob@example.com',
  'ann@example.com\r\nBcc:bob@example.com',
  'ann@example.com\0',
  'ann@müller.example/path',
  'ann@müller.example:25',
  'pöst@example.com',
  '\u212aim@example.com',
  'an\u200bn@example.com',
];

test.each(Object.entries(forms))('%s: accepts the addresses that browsers accept', (_, form) => {
  const [schema, others] = form;
  for (const [typed, stored] of valid) {
    expect([typed, emailIn(schema, others, typed)]).toEqual([typed, stored]);
  }
});

test.each(Object.entries(forms))('%s: rejects all others', (name, form) => {
  const [schema, others] = form;
  const message = messages.field.emailInvalid;
  for (const typed of invalid) {
    expect([name, typed, emailIn(schema, others, typed)]).toEqual([name, typed, message]);
  }
});

test('an address has at most 254 characters, counted as it is stored', () => {
  const address = (length: number) => `${'a'.repeat(length - '@example.com'.length)}@example.com`;
  expect(isEmailAddress(address(limits.email))).toBe(true);
  expect(isEmailAddress(address(limits.email + 1))).toBe(false);
  const international = `${'a'.repeat(limits.email - 15)}@müller.example`;
  expect(international).toHaveLength(limits.email);
  expect(isEmailAddress(international)).toBe(false);
});

test.each(valid)('%s is normalized once', (typed) => {
  expect(normalizeEmail(normalizeEmail(typed))).toBe(normalizeEmail(typed));
});
