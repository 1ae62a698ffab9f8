import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { beforeEach, expect, test } from 'vitest';
import { from, makeEmail } from '../testing/test-email.ts';
import { fileTransport } from './files.ts';

const publicUrl = 'https://example.com';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mail-'));
  return () => rmSync(folder, { recursive: true });
});

async function sendAndRead(change: Parameters<typeof makeEmail>[0] = {}): Promise<Email> {
  await fileTransport(folder, from, publicUrl).send(makeEmail(change));
  const [file = ''] = readdirSync(folder);
  return PostalMime.parse(readFileSync(join(folder, file)));
}

test('writes an .eml file', async () => {
  const email = makeEmail();
  const message = await sendAndRead();
  expect(message).toMatchObject({
    from: { name: 'Fieldlight AI', address: 'hello@fieldlight.example' },
    to: [{ address: email.to }],
    replyTo: [{ address: 'ann@example.com' }],
    subject: email.subject,
    messageId: `<${email.id}@fieldlight.example>`,
  });
  expect(Date.parse(message.date ?? '')).toBe(email.createdAt);
  expect(message.text?.trim()).toBe(email.text);
  expect(message.html?.trim()).toBe(email.html);
});

test('omits Reply-To without a reply address', async () => {
  expect((await sendAndRead({ replyTo: null })).replyTo).toBeUndefined();
});

test('writes additional headers, each on one line', async () => {
  const message = await sendAndRead({
    headers: {
      'List-Unsubscribe': '<https://example.com/u?token=abc>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'X-Note': 'one\r\nBcc: everybody@example.com',
    },
  });
  const values = new Map(message.headers.map(({ key, value }) => [key, value]));
  expect(values.get('list-unsubscribe')).toBe('<https://example.com/u?token=abc>');
  expect(values.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  expect(values.has('bcc')).toBe(false);
});

test('encodes non-ASCII text', async () => {
  const subject = 'Wasserhahn tropft – 水漏れ 🔧';
  const message = await sendAndRead({ subject, text: 'Größe: ½"', html: '<p>Größe: ½"</p>' });
  expect(message.subject).toBe(subject);
  expect(message.text?.trim()).toBe('Größe: ½"');
  expect(message.html?.trim()).toBe('<p>Größe: ½"</p>');
});

test.each([
  ['subject', { subject: 'Message from Ann\r\nBcc: everybody@example.com\r\n\r\nBuy now' }],
  ['recipient', { to: 'owner@example.com\r\nBcc: everybody@example.com' }],
  ['reply address', { replyTo: 'ann@example.com\r\nBcc: everybody@example.com' }],
])('a line break in the %s does not add a header', async (_where, change) => {
  const message = await sendAndRead(change);
  expect(message.headers.map(({ key }) => key)).not.toContain('bcc');
  expect(message.bcc).toBeUndefined();
  expect(message.text?.trim()).toBe(makeEmail().text);
});

test('a name with a comma and an address does not add a recipient', async () => {
  const message = await sendAndRead({ to: 'owner@example.com, everybody@example.com' });
  expect(message.to).toHaveLength(1);
});

test('logs links to the site, and no others', async () => {
  const email = makeEmail();
  const text = `${email.text}\nhttps://vera.example/resume https://example.com.evil.example/`;
  const result = await fileTransport(folder, from, publicUrl).send({ ...email, text });
  expect(result).toEqual({
    outcome: 'sent',
    details: {
      file: expect.stringMatching(/\.eml$/),
      links: ['https://example.com/confirm?token=abc'],
    },
  });
});

test('another attempt replaces the file', async () => {
  const transport = fileTransport(folder, from, publicUrl);
  await transport.send(makeEmail());
  await transport.send(makeEmail({ attempts: 2 }));
  expect(readdirSync(folder)).toEqual(['2026-03-01T12-00-00-000Z-contact-notice-00000001.eml']);
});

test('returns a failure if the folder is not writable', async () => {
  const occupied = join(folder, 'mail');
  writeFileSync(occupied, '');
  expect(await fileTransport(occupied, from, publicUrl).send(makeEmail())).toEqual({
    outcome: 'failed',
    reason: expect.stringContaining('EEXIST'),
  });
});
