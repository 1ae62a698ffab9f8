import { careerMessages } from '@app/contract/forms/careers';
import { limits } from '@app/contract/limits';
import { messages } from '@app/contract/messages';
import { careerInquiries } from '@app/db/schema/forms/careers';
import { expect, test } from 'vitest';
import { renderEmail } from '../../email-worker.ts';
import { makeTestApp, type TestApp } from '../../testing/test-app.ts';

const inquiry = {
  name: 'Jo Maker',
  email: 'jo@example.com',
  resumeLink: 'https://jo.example/resume',
  message: 'I build things\nthat listen.',
};

const send = (testApp: TestApp, body: object) => testApp.browser().post('/api/careers', body);

test('stores an inquiry and emails a notice to the company', async () => {
  await using testApp = await makeTestApp({ renderEmail });

  const response = await send(testApp, inquiry);
  await testApp.deps.outbox.drain();

  expect(response.status).toBe(201);
  expect(await response.json()).toEqual({ stored: true });
  expect(await testApp.deps.db.select().from(careerInquiries)).toEqual([
    {
      ...inquiry,
      id: expect.any(String),
      spamSignals: null,
      createdAt: testApp.clock.now(),
    },
  ]);
  expect(testApp.emails.sent).toMatchObject([
    { kind: 'career-notice', to: 'owner@example.com', replyTo: 'jo@example.com' },
  ]);
  for (const text of [
    testApp.emails.sent[0]?.text,
    testApp.emails.sent[0]?.html.replaceAll('<br/>', '\n'),
  ]) {
    for (const value of Object.values(inquiry)) expect(text).toContain(value);
  }
});

test.each([undefined, null, '', ' '])('ignores the resume link %j', async (resumeLink) => {
  await using testApp = await makeTestApp({ renderEmail });
  expect((await send(testApp, { ...inquiry, resumeLink })).status).toBe(201);
  await testApp.deps.outbox.drain();

  expect(await testApp.deps.db.select().from(careerInquiries)).toMatchObject([
    { resumeLink: null },
  ]);
  expect(testApp.emails.sent[0]?.text).not.toContain('Resume');
});

test('escapes user input in the email', async () => {
  await using testApp = await makeTestApp({ renderEmail });
  await send(testApp, {
    ...inquiry,
    name: '<script>x</script>',
    resumeLink: 'https://jo.example/"><img src=x>',
  });
  await testApp.deps.outbox.drain();

  const html = testApp.emails.sent[0]?.html ?? '';
  expect(html).toContain('&lt;script&gt;x&lt;/script&gt;');
  expect(html).toContain('https://jo.example/&quot;&gt;&lt;img src=x&gt;');
  expect(html).not.toMatch(/<script>|<img/);
});

test.each([
  ['name', ' J ', careerMessages.nameTooShort],
  ['name', 'x'.repeat(101), messages.field.tooLong(limits.name)],
  ['email', '', messages.field.emailInvalid],
  ['email', 'jo@example.com\nBcc: everybody@example.com', messages.field.emailInvalid],
  ['resumeLink', 'my resume', careerMessages.resumeLinkInvalid],
  ['resumeLink', 'javascript:alert(1)', careerMessages.resumeLinkInvalid],
  ['message', 'Too short', careerMessages.messageTooShort],
  ['message', 'x'.repeat(5_001), messages.field.tooLong(limits.message)],
])('rejects %s %j at the field', async (path, value, text) => {
  await using testApp = await makeTestApp();
  const response = await send(testApp, { ...inquiry, [path]: value });
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ issues: [{ path, message: text }] });
  expect(await testApp.deps.db.select().from(careerInquiries)).toEqual([]);
});

test('accepts an empty resume link without JavaScript', async () => {
  await using testApp = await makeTestApp();
  await testApp.browser().submit('/api/careers', { ...inquiry, resumeLink: '' });
  expect(await testApp.deps.db.select().from(careerInquiries)).toMatchObject([
    { ...inquiry, resumeLink: null },
  ]);
});
