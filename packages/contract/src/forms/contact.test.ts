import * as v from 'valibot';
import { expect, test } from 'vitest';
import { limits } from '../limits.ts';
import { messages } from '../messages.ts';
import { contactMessage } from './contact.ts';

const message = { name: 'Ann', email: 'ann@example.com', message: 'The boiler is out.' };

const messagesOf = (input: unknown): string[] =>
  (v.safeParse(contactMessage, input).issues ?? []).map((issue) => issue.message);

test('a message needs a name, an address and a text; the rest has its defaults', () => {
  expect(v.parse(contactMessage, message)).toEqual({
    ...message,
    phone: '',
    company: '',
    service: 'general',
  });
});

test('everything that is missing is reported at once, in the order of the form', () => {
  expect(messagesOf({})).toEqual([
    messages.field.nameRequired,
    messages.field.emailRequired,
    messages.field.messageRequired,
  ]);
});

test('texts are trimmed, and blank ones count as missing', () => {
  expect(v.parse(contactMessage, { ...message, name: ' Ann ', phone: ' 555 ' })).toMatchObject({
    name: 'Ann',
    phone: '555',
  });
  expect(messagesOf({ ...message, message: ' \n ' })).toEqual([messages.field.messageRequired]);
});

test.each([
  ['name', limits.name],
  ['phone', limits.phone],
  ['company', limits.company],
  ['message', limits.message],
])('%s takes its limit and not one more', (field, most) => {
  expect(messagesOf({ ...message, [field]: 'x'.repeat(most) })).toEqual([]);
  expect(messagesOf({ ...message, [field]: 'x'.repeat(most + 1) })).toEqual([
    messages.field.tooLong(most),
  ]);
});

test('a line end is one character, as in the field, however it is sent', () => {
  const text = `${'x'.repeat(limits.message - 2)}\ny`;
  expect(
    v.parse(contactMessage, { ...message, message: text.replace('\n', '\r\n') }),
  ).toMatchObject({ message: text });
});

test('a service that is not on the menu is refused', () => {
  expect(messagesOf({ ...message, service: 'plumbing' })).toEqual([messages.field.serviceUnknown]);
});

test('a field that the form does not have is refused', () => {
  expect(v.safeParse(contactMessage, { ...message, admin: true }).success).toBe(false);
});
