import * as v from 'valibot';
import { expect, test } from 'vitest';
import { limits } from '../limits.ts';
import { messages } from '../messages.ts';
import { contactMessage, contactMessages } from './contact.ts';

const message = { name: 'Ann', email: 'ann@example.com', message: 'The boiler is out.' };

const messagesOf = (input: unknown): string[] =>
  (v.safeParse(contactMessage, input).issues ?? []).map((issue) => issue.message);

test('requires only a name, an email and a message', () => {
  expect(v.parse(contactMessage, message)).toEqual({
    ...message,
    phone: '',
    company: '',
    service: 'general',
  });
});

test('reports all missing fields at once, in the order of the form', () => {
  expect(messagesOf({})).toEqual([
    contactMessages.nameRequired,
    messages.field.emailRequired,
    contactMessages.messageRequired,
  ]);
});

test('trims texts and treats blank ones as missing', () => {
  expect(v.parse(contactMessage, { ...message, name: ' Ann ', phone: ' 555 ' })).toMatchObject({
    name: 'Ann',
    phone: '555',
  });
  expect(messagesOf({ ...message, message: ' \n ' })).toEqual([contactMessages.messageRequired]);
});

test.each([
  ['name', limits.name],
  ['phone', limits.phone],
  ['company', limits.company],
  ['message', limits.message],
])('accepts a %s up to its limit', (field, max) => {
  expect(messagesOf({ ...message, [field]: 'x'.repeat(max) })).toEqual([]);
  expect(messagesOf({ ...message, [field]: 'x'.repeat(max + 1) })).toEqual([
    messages.field.tooLong(max),
  ]);
});

test('counts a line break as one character', () => {
  const text = `${'x'.repeat(limits.message - 2)}\ny`;
  expect(
    v.parse(contactMessage, { ...message, message: text.replace('\n', '\r\n') }),
  ).toMatchObject({ message: text });
});

test('rejects an unknown service', () => {
  expect(messagesOf({ ...message, service: 'plumbing' })).toEqual([contactMessages.serviceUnknown]);
});

test('rejects unknown fields', () => {
  expect(v.safeParse(contactMessage, { ...message, admin: true }).success).toBe(false);
});
