import { day } from '@app/contract/durations';
import { contactMessages } from '@app/contract/forms/contact';
import { limits } from '@app/contract/limits';
import { messages } from '@app/contract/messages';
import { contactSubmissions } from '@app/db/schema/forms/contact';
import { contactForm } from '@app/site/forms/contact';
import { expect, test } from 'vitest';
import { renderEmail } from '../../email-worker.ts';
import { emailedKinds } from '../../testing/submissions.ts';
import { makeTestApp, type TestApp } from '../../testing/test-app.ts';
import { unusualAddresses } from '../../testing/test-email.ts';

const message = {
  name: 'Vera Visitor',
  email: 'vera@example.com',
  phone: '+1 555 0100',
  company: 'Vera’s Plumbing',
  message: 'Our phone rings\nday and night.',
  service: 'betty',
};

const send = (testApp: TestApp, body: object) => testApp.browser().post('/api/contact', body);

const noticeOf = ({ emails }: TestApp) => emails.sent.find(({ kind }) => kind === 'contact-notice');

test('stores a message, and emails a notice and a receipt', async () => {
  await using testApp = await makeTestApp({ renderEmail });

  const response = await send(testApp, message);
  await testApp.deps.outbox.drain();

  expect(response.status).toBe(201);
  expect(await response.json()).toEqual({ stored: true });
  expect(await testApp.deps.db.select().from(contactSubmissions)).toEqual([
    {
      ...message,
      id: expect.any(String),
      spamSignals: null,
      createdAt: testApp.clock.now(),
    },
  ]);
  const [notice, receipt] = testApp.emails.sent.toSorted((a, b) => a.kind.localeCompare(b.kind));
  expect(notice).toMatchObject({
    kind: 'contact-notice',
    to: 'owner@example.com',
    replyTo: 'vera@example.com',
  });
  expect(receipt).toMatchObject({
    kind: 'contact-receipt',
    to: 'vera@example.com',
    replyTo: null,
  });
  for (const text of [notice?.text, notice?.html.replaceAll('<br/>', '\n')]) {
    for (const value of Object.values({ ...message, service: contactForm.services.betty })) {
      expect(text).toContain(value);
    }
  }
});

test('requires only name, email and message', async () => {
  await using testApp = await makeTestApp({ renderEmail });
  const { name, email, message: text } = message;
  await send(testApp, { name, email, message: text });
  await testApp.deps.outbox.drain();

  expect(await testApp.deps.db.select().from(contactSubmissions)).toMatchObject([
    { phone: '', company: '', service: 'general' },
  ]);
  expect(noticeOf(testApp)?.text).not.toMatch(/Phone|Company/);
});

test('escapes user input in the email', async () => {
  await using testApp = await makeTestApp({ renderEmail });
  await send(testApp, { ...message, name: '<script>x</script>', message: '<img src=x> & "more"' });
  await testApp.deps.outbox.drain();

  const html = noticeOf(testApp)?.html ?? '';
  expect(html).toContain('&lt;script&gt;x&lt;/script&gt;');
  expect(html).toContain('&lt;img src=x&gt; &amp; &quot;more&quot;');
  expect(html).not.toContain('<script>');
});

const unescaped = (html: string): string => html.replaceAll('&#x27;', "'").replaceAll('&amp;', '&');

test.each(unusualAddresses)('stores %s, and links it in the notice', async (email) => {
  await using testApp = await makeTestApp({ renderEmail });
  expect((await send(testApp, { ...message, email })).status).toBe(201);
  await testApp.deps.outbox.drain();

  expect(await testApp.deps.db.select().from(contactSubmissions)).toMatchObject([{ email }]);
  const { replyTo, html = '' } = noticeOf(testApp) ?? {};
  expect(replyTo).toBe(email);
  const [, href = '', text] = /<a [^>]*href="(mailto:[^"]+)"[^>]*>([^<]+)<\/a>/.exec(html) ?? [];
  expect([unescaped(text ?? ''), decodeURIComponent(unescaped(href))]).toEqual([
    email,
    `mailto:${email}`,
  ]);
});

test.each([
  ['name', '', contactMessages.nameRequired],
  ['name', 'x'.repeat(101), messages.field.tooLong(limits.name)],
  ['email', '', messages.field.emailRequired],
  ['email', 'vera', messages.field.emailInvalid],
  ['email', 'vera@example.com\nBcc: everybody@example.com', messages.field.emailInvalid],
  ['message', ' \n ', contactMessages.messageRequired],
  ['message', 'x'.repeat(5_001), messages.field.tooLong(limits.message)],
  ['phone', '1'.repeat(33), messages.field.tooLong(limits.phone)],
  ['service', 'plumbing', contactMessages.serviceUnknown],
])('rejects %s %j at the field', async (path, value, text) => {
  await using testApp = await makeTestApp();
  const response = await send(testApp, { ...message, [path]: value });
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ issues: [{ path, message: text }] });
  expect(await testApp.deps.db.select().from(contactSubmissions)).toEqual([]);
});

test('reports all errors at once', async () => {
  await using testApp = await makeTestApp();
  const response = await send(testApp, { service: 'plumbing' });
  const { issues } = (await response.json()) as { issues: { path: string }[] };
  expect(issues.map(({ path }) => path)).toEqual(['name', 'email', 'message', 'service']);
});

test('limits receipts to three per mailbox and day', async () => {
  await using testApp = await makeTestApp();
  const sendMessages = async (count: number) => {
    for (let i = 0; i < count; i++) {
      await send(testApp, { ...message, email: 'VERA@example.com', company: crypto.randomUUID() });
    }
  };
  await sendMessages(5);
  expect(await emailedKinds(testApp)).toEqual([
    ...Array<string>(5).fill('contact-notice'),
    ...Array<string>(3).fill('contact-receipt'),
  ]);

  await send(testApp, { ...message, email: 'other@example.com' });
  testApp.clock.move(day);
  await sendMessages(1);
  const receipts = (await emailedKinds(testApp)).filter((kind) => kind === 'contact-receipt');
  expect(receipts).toHaveLength(5);
});
