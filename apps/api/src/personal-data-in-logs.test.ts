import { expect, test } from 'vitest';
import { createLog } from './log.ts';
import { makeTestApp, type TestApp, type TestBrowser, tokenEmailedTo } from './testing/test-app.ts';

/** Values that appear nowhere else. */
const typed = {
  email: 'zoe.quillfeather@personal.example',
  otherEmail: 'zq@elsewhere.example',
  leadEmail: 'xaver@nightingale.example',
  subscriber: 'reader@subscribers.example',
  password: 'pelican-umbrella-37',
  newPassword: 'walrus-trombone-52',
  name: 'Xaver Nightingale',
  fullName: 'Zoë Quillfeather',
  username: 'zquill.77',
  phone: '+1 555 0173 9911',
  company: 'Nightingale Plumbing LLC',
  message: 'My heating has made strange noises since Tuesday.',
  resume: 'https://nightingale.example/resume',
  title: 'Diary of a pelican',
  content: 'The umbrella was a present.',
  search: 'umbrella present',
};

/** The IP address of every test browser begins with it. */
const clientNetwork = '198.18.';

interface Drive {
  testApp: TestApp;
  ann: TestBrowser;
  /** Tokens of emailed links. */
  secrets: string[];
}

async function account({ testApp, ann, secrets }: Drive): Promise<void> {
  const { email, otherEmail, password, newPassword, username, fullName } = typed;
  const linkTo = async (address: string): Promise<string> => {
    await testApp.deps.outbox.drain();
    const token = tokenEmailedTo(testApp, address);
    secrets.push(token);
    return token;
  };
  await ann.post('/api/auth/sign-up', { email, password });
  await ann.post('/api/auth/sign-in', { email, password });
  const confirmed = await ann.post('/api/auth/confirm', { token: await linkTo(email) });
  expect(confirmed.status).toBe(200);
  await testApp.browser().submit('/api/auth/sign-up', { email, password });
  await ann.post('/api/auth/resend-confirmation', { email });
  await ann.post('/api/auth/sign-in', { email, password: newPassword });
  await ann.submit('/api/auth/sign-in', { email, password: `${password}!` });
  await ann.post('/api/auth/forgot-password', { email });
  const reset = { token: await linkTo(email), password: newPassword };
  expect((await ann.post('/api/auth/reset-password', reset)).status).toBe(200);
  expect((await ann.send('PATCH', '/api/profile', { username, fullName })).status).toBe(200);
  expect((await ann.post('/api/auth/email', { email: otherEmail })).status).toBe(202);
  const changed = { token: await linkTo(otherEmail) };
  expect((await ann.post('/api/auth/change-email', changed)).status).toBe(200);
  expect((await ann.get('/profile')).status).toBe(200);
  expect((await ann.get('/api/account/export')).status).toBe(200);
}

async function writing({ ann }: Drive): Promise<void> {
  const { title, content, search } = typed;
  const post = { title, content, slug: 'first', excerpt: '', coverImage: '', published: true };
  const created = await ann.post('/api/posts', post);
  expect(created.status).toBe(201);
  const { id } = ((await created.json()) as { post: { id: string } }).post;
  await ann.send('PATCH', `/api/posts/${id}`, { title: `${title}!`, published: false });
  await ann.post('/api/posts', post);
  await ann.get(`/api/search?q=${encodeURIComponent(search)}`);
  await ann.get(`/no-such-page?email=${encodeURIComponent(typed.email)}`);
  await ann.get(`/unsubscribe/${encodeURIComponent(typed.email)}`);
}

async function forms({ testApp, secrets }: Drive): Promise<void> {
  const { name, leadEmail: email, phone, company, message, resume, subscriber } = typed;
  const visitor = testApp.browser();
  const contact = { name, email, phone, company, message };
  expect((await visitor.post('/api/contact', contact)).status).toBe(201);
  expect((await visitor.submit('/api/contact', contact)).status).toBe(303);
  // Suspected spam, and an invalid message.
  await visitor.post('/api/contact', { ...contact, homepage: 'https://spam.example' });
  expect((await visitor.post('/api/contact', { ...contact, email: phone })).status).toBe(422);
  const inquiry = { name, email, resumeLink: resume, message };
  expect((await visitor.post('/api/careers', inquiry)).status).toBe(201);
  expect((await visitor.post('/api/newsletter', { email: subscriber })).status).toBe(201);
  await testApp.deps.outbox.drain();
  const token = tokenEmailedTo(testApp, subscriber);
  secrets.push(token);
  expect((await visitor.post('/api/newsletter/confirm', { token })).status).toBe(200);
  await visitor.post('/api/client-errors', {
    kind: 'error',
    message: `SyntaxError: Unexpected token, "${message}" is not valid JSON ${email}`,
    stack: `at http://localhost:4321/auth/confirm?token=${token}:1:2`,
  });
}

/** Email providers name the recipient in their errors. */
async function failingEmails({ testApp }: Drive): Promise<void> {
  const { leadEmail: email, name, message } = typed;
  testApp.emails.answer = ({ to }) => ({
    outcome: to === email ? 'refused' : 'failed',
    reason: `550 5.1.1 <${to}>: Recipient address rejected`,
  });
  await testApp.browser().post('/api/contact', { name, email, message });
  await testApp.deps.outbox.drain();
}

/** Database errors contain the statement's values. */
async function failingStatements({ testApp, ann }: Drive): Promise<void> {
  const { name, leadEmail: email, message, phone } = typed;
  for (const table of ['contact_submissions', 'career_inquiries', 'rate_limits']) {
    testApp.deps.db.$client.exec(`pragma foreign_keys = off; drop table ${table}`);
  }
  const failed = await testApp.browser().post('/api/contact', { name, email, message, phone });
  expect(failed.status).toBe(500);
  await ann.post('/api/auth/sign-in', { email: typed.otherEmail, password: typed.newPassword });
}

test('logs nothing that people typed, no addresses and no tokens', async () => {
  const lines: string[] = [];
  const log = createLog('debug', { write: (line) => void lines.push(line) });
  await using testApp = await makeTestApp({ publishes: true, log });
  const secrets: string[] = [];
  const drive = { testApp, ann: testApp.browser(), secrets };
  await account(drive);
  await writing(drive);
  await forms(drive);
  await failingEmails(drive);
  const sessions = [...drive.ann.cookies.values()].filter((value) => value.length > 20);
  await failingStatements(drive);

  const text = lines.join('');
  expect(text).toContain('"msg":"email sent"');
  expect(text).toContain('"msg":"email failed permanently"');
  expect(text).toContain('"msg":"request failed"');
  expect(text).toContain('"msg":"browser error"');
  expect(sessions.length).toBeGreaterThan(0);
  expect(secrets).toHaveLength(4);
  const found = [...Object.values(typed), ...secrets, ...sessions, clientNetwork].filter((value) =>
    [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)].some((form) =>
      text.toLowerCase().includes(form.toLowerCase()),
    ),
  );
  expect(found).toEqual([]);
});
