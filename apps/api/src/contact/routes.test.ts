import { limits } from '@app/contract/limits';
import { messages } from '@app/contract/messages';
import { contactSubmissions } from '@app/db/schema/contact';
import { outbox } from '@app/db/schema/mail';
import { expect, test } from 'vitest';
import { makeTestApp, type TestApp } from '../testing/test-app.ts';

const message = {
  name: 'Vera Visitor',
  email: 'vera@example.com',
  phone: '+1 555 0100',
  company: 'Vera’s Plumbing',
  message: 'Our phone rings\nday and night.',
  service: 'betty',
};

const send = (testApp: TestApp, body: object) => testApp.browser().post('/api/contact', body);

test('a message is stored, and the notice about it is mailed to the company', async () => {
  await using testApp = await makeTestApp();

  const response = await send(testApp, message);
  await testApp.deps.outbox.drain();

  expect(response.status).toBe(201);
  expect(await response.json()).toEqual({ stored: true });
  expect(await testApp.deps.db.select().from(contactSubmissions)).toEqual([
    { ...message, id: expect.any(String), createdAt: testApp.clock.now() },
  ]);
  expect(testApp.mail.sent).toMatchObject([
    { kind: 'contact-notice', to: 'owner@example.com', replyTo: 'vera@example.com' },
  ]);
  for (const text of [
    testApp.mail.sent[0]?.text,
    testApp.mail.sent[0]?.html.replaceAll('<br>', '\n'),
  ]) {
    for (const value of Object.values(message)) expect(text).toContain(value);
  }
});

test('only the name, the email and the message are asked for', async () => {
  await using testApp = await makeTestApp();
  const { name, email, message: text } = message;
  await send(testApp, { name, email, message: text });
  await testApp.deps.outbox.drain();

  expect(await testApp.deps.db.select().from(contactSubmissions)).toMatchObject([
    { phone: '', company: '', service: 'general' },
  ]);
  expect(testApp.mail.sent[0]?.text).not.toMatch(/Phone|Company/);
});

test.each(['contact_submissions', 'outbox'])(
  'row and mail come together or not at all: %s fails',
  async (table) => {
    await using testApp = await makeTestApp();
    const { db } = testApp.deps;
    db.$client.exec(
      `CREATE TRIGGER full BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'disk is full'); END`,
    );

    const response = await send(testApp, message);
    await testApp.deps.outbox.drain();

    expect(response.status).toBe(500);
    const problem = await response.text();
    expect(JSON.parse(problem)).toMatchObject({ code: 'internal' });
    expect(problem).not.toContain('disk');
    expect(await db.select().from(contactSubmissions)).toEqual([]);
    expect(await db.select().from(outbox)).toEqual([]);
    expect(testApp.mail.sent).toEqual([]);
  },
);

test('a mail service that is down loses nothing: the visitor is answered, the mail waits', async () => {
  await using testApp = await makeTestApp();
  testApp.mail.answer = () => ({ outcome: 'failed', reason: '503' });

  expect((await send(testApp, message)).status).toBe(201);
  await testApp.deps.outbox.drain();
  expect(testApp.mail.sent).toEqual([]);

  testApp.mail.answer = () => ({ outcome: 'sent' });
  testApp.clock.move(60_000);
  await testApp.deps.outbox.drain();
  expect(testApp.mail.sent).toHaveLength(1);
});

test('what a visitor writes is text in the mail, never markup', async () => {
  await using testApp = await makeTestApp();
  await send(testApp, { ...message, name: '<script>x</script>', message: '<img src=x> & "more"' });
  await testApp.deps.outbox.drain();

  const html = testApp.mail.sent[0]?.html ?? '';
  expect(html).toContain('&lt;script&gt;x&lt;/script&gt;');
  expect(html).toContain('&lt;img src=x&gt; &amp; &quot;more&quot;');
  expect(html).not.toContain('<script>');
});

test.each([
  ['name', '', messages.field.nameRequired],
  ['name', 'x'.repeat(101), messages.field.tooLong(limits.name)],
  ['email', '', messages.field.emailRequired],
  ['email', 'vera', messages.field.emailInvalid],
  ['email', 'vera@example.com\nBcc: everybody@example.com', messages.field.emailInvalid],
  ['message', ' \n ', messages.field.messageRequired],
  ['message', 'x'.repeat(5_001), messages.field.tooLong(limits.message)],
  ['phone', '1'.repeat(33), messages.field.tooLong(limits.phone)],
  ['service', 'plumbing', messages.field.serviceUnknown],
])('%s %j is refused with the text for the field', async (path, value, text) => {
  await using testApp = await makeTestApp();
  const response = await send(testApp, { ...message, [path]: value });
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ issues: [{ path, message: text }] });
  expect(await testApp.deps.db.select().from(contactSubmissions)).toEqual([]);
});

test('everything wrong is told at once', async () => {
  await using testApp = await makeTestApp();
  const response = await send(testApp, { service: 'plumbing' });
  const { issues } = (await response.json()) as { issues: { path: string }[] };
  expect(issues.map(({ path }) => path)).toEqual(['name', 'email', 'message', 'service']);
});

test('a form without scripts is led to the page that says what happened', async () => {
  await using testApp = await makeTestApp();
  const submit = async (fields: Record<string, string>) => {
    const response = await testApp.browser().submit('/api/contact', fields);
    return [response.status, response.headers.get('Location')];
  };
  expect(await submit(message)).toEqual([303, '/contact#sent']);
  expect(await submit({ ...message, email: 'vera' })).toEqual([303, '/contact#invalid']);
  expect(await testApp.deps.db.select().from(contactSubmissions)).toMatchObject([message]);
});
