import { setImmediate } from 'node:timers/promises';
import { hour, second } from '@app/contract/durations';
import { emailSuppressions } from '@app/db/schema/email';
import { expect, onTestFinished, test, vi } from 'vitest';
import { features } from '../features.ts';
import { openTestOutbox } from '../testing/outbox.ts';
import { EmailRecorder } from '../testing/test-app.ts';
import { until } from '../testing/until.ts';
import { enqueueEmail } from './outbox.ts';
import type { EmailTransport, OutgoingEmail, SendResult } from './transport.ts';

/** Each email waits for `answer`. */
class SlowTransport implements EmailTransport {
  readonly sending: { email: OutgoingEmail; answer: (result: SendResult) => void }[] = [];
  send(email: OutgoingEmail): Promise<SendResult> {
    return new Promise((answer) => this.sending.push({ email, answer }));
  }
  next() {
    return until(() => this.sending.shift());
  }
}

const welcome = {
  kind: 'newsletter-welcome',
  to: 'ann@example.com',
  subject: 'Welcome',
  props: {
    blogLink: 'https://site.example/blog',
    unsubscribeLink: 'https://site.example/unsubscribe?token=secret',
  },
};

test('removes tokens from the row of a sent email', async () => {
  const { db, clock, openOutbox, onlyRow } = openTestOutbox();
  const emails = new EmailRecorder();
  emails.answer = () => ({ outcome: 'failed', reason: '503' });
  const outbox = openOutbox(emails);
  db.transaction((tx) => enqueueEmail(tx, clock.now(), welcome));

  await outbox.drain();
  expect((await onlyRow()).props).toEqual(welcome.props);

  emails.answer = () => ({ outcome: 'sent' });
  clock.move(hour);
  await outbox.drain();
  expect(emails.sent[0]?.text).toContain('/unsubscribe?token=secret');
  expect((await onlyRow()).props).toEqual({
    blogLink: 'https://site.example/blog',
    unsubscribeLink: 'https://site.example/unsubscribe?token=',
  });
});

test('keeps links of sent emails in development', async () => {
  const { db, clock, openOutbox, onlyRow } = openTestOutbox();
  const outbox = openOutbox(new EmailRecorder(), { keepLinks: true });
  db.transaction((tx) => enqueueEmail(tx, clock.now(), welcome));
  await outbox.drain();
  expect((await onlyRow()).props).toEqual(welcome.props);
});

test.each([
  ['of an earlier version', { kind: 'sign-up-again' }, 'there is no template "sign-up-again"'],
  [
    'without a prop',
    { props: {} },
    'blogLink: Invalid key: Expected "blogLink" but received undefined',
  ],
  ['with a wrong prop', { props: { ...welcome.props, blogLink: 1 } }, 'blogLink: Invalid type'],
])('gives up on an email %s at once, and sends the others', async (_what, change, reason) => {
  const { db, clock, openOutbox, enqueue, rows } = openTestOutbox();
  const emails = new EmailRecorder();
  const given = { ...welcome, ...change };
  db.transaction((tx) => enqueueEmail(tx, clock.now(), given));
  await enqueue('Hello');

  const outbox = openOutbox(emails);
  await outbox.drain();

  expect(emails.sent.map(({ subject }) => subject)).toEqual(['Hello']);
  expect(outbox.depth()).toEqual({ queued: 0, dead: 1 });
  expect(await rows()).toMatchObject([
    {
      state: 'dead',
      props: given.props,
      lastError: expect.stringContaining(`cannot be rendered: ${reason}`),
    },
    { state: 'sent' },
  ]);
});

test('each attempt sends the same bytes', async () => {
  const { clock, openOutbox, enqueue } = openTestOutbox();
  const bodies: string[] = [];
  const outbox = openOutbox({
    async send({ text, html }) {
      bodies.push(text + html);
      return { outcome: 'failed', reason: '503' };
    },
  });
  await enqueue('Hello');
  await outbox.drain();
  clock.move(hour);
  await outbox.drain();
  expect(bodies).toHaveLength(2);
  expect(bodies[1]).toBe(bodies[0]);
});

test('sends an email once and records it', async () => {
  const { clock, openOutbox, enqueue, onlyRow } = openTestOutbox();
  const emails = new EmailRecorder();
  const outbox = openOutbox(emails);
  await enqueue('Hello');

  await outbox.drain();
  clock.move(100 * hour);
  await outbox.drain();

  expect(emails.sent.map(({ subject }) => subject)).toEqual(['Hello']);
  expect(await onlyRow()).toMatchObject({
    id: emails.sent[0]?.id,
    state: 'sent',
    attempts: 1,
    sentAt: clock.now() - 100 * hour,
  });
  expect(outbox.depth()).toEqual({ queued: 0, dead: 0 });
});

test('removes line breaks from a subject', async () => {
  const { enqueue, onlyRow } = openTestOutbox();
  await enqueue('Message from Ann\r\nBcc: everybody@example.com');
  expect((await onlyRow()).subject).toBe('Message from Ann Bcc: everybody@example.com');
});

test('sends an email again with the same id when its lease ends after a crash', async () => {
  const { clock, openOutbox, enqueue } = openTestOutbox();
  await enqueue('Hello');
  const crashing = new SlowTransport();
  openOutbox(crashing).wake();
  const { email: taken, answer } = await crashing.next();
  onTestFinished(() => answer({ outcome: 'sent' }));

  const emails = new EmailRecorder();
  const restarted = openOutbox(emails);
  clock.move(119 * second);
  await restarted.drain();
  expect(emails.sent).toEqual([]);
  clock.move(1 * second);
  await restarted.drain();

  expect(emails.sent).toMatchObject([{ id: taken.id, attempts: 2 }]);
});

test('does not send an email twice if sending it outlasts its lease', async () => {
  const { clock, openOutbox, enqueue, onlyRow } = openTestOutbox();
  const transport = new SlowTransport();
  const outbox = openOutbox(transport);
  await enqueue('Hello');
  outbox.wake();
  const { answer } = await transport.next();

  clock.move(121 * second);
  await enqueue('Another');
  outbox.wake();
  const another = await transport.next();
  expect(another.email.subject).toBe('Another');
  expect(transport.sending).toEqual([]);

  another.answer({ outcome: 'sent' });
  answer({ outcome: 'sent' });
  await outbox.drain();
  expect(await onlyRow()).toMatchObject({ state: 'sent', attempts: 1 });
});

test('sends new emails while others are in progress, each once', async () => {
  const { openOutbox, enqueue, rows } = openTestOutbox();
  const transport = new SlowTransport();
  const outbox = openOutbox(transport);
  await enqueue('First');
  outbox.wake();
  const first = await transport.next();

  await enqueue('Second');
  outbox.wake();
  outbox.wake();
  const second = await transport.next();
  expect(second.email.subject).toBe('Second');
  const drained = outbox.drain();
  second.answer({ outcome: 'sent' });
  first.answer({ outcome: 'sent' });
  await drained;

  expect(transport.sending).toEqual([]);
  expect((await rows()).map(({ state, attempts }) => [state, attempts])).toEqual([
    ['sent', 1],
    ['sent', 1],
  ]);
});

test('sends eight emails at a time, each once', async () => {
  const { openOutbox, enqueue, rows } = openTestOutbox();
  const sent: string[] = [];
  let sending = 0;
  let max = 0;
  const outbox = openOutbox({
    async send({ subject }) {
      sending += 1;
      max = Math.max(max, sending);
      await setImmediate();
      sending -= 1;
      sent.push(subject);
      return { outcome: 'sent' };
    },
  });
  const subjects = Array.from({ length: 100 }, (_, n) => `Email ${n}`);
  for (const subject of subjects) await enqueue(subject);

  await outbox.drain();

  expect(max).toBe(8);
  expect(sent.toSorted()).toEqual(subjects.toSorted());
  expect(new Set((await rows()).map(({ state, attempts }) => `${state} ${attempts}`))).toEqual(
    new Set(['sent 1']),
  );
});

test.each(['bounce', 'complaint'] as const)(
  'sends no newsletter to an address after a %s',
  async (reason) => {
    const { db, clock, openOutbox, enqueue, onlyRow } = openTestOutbox();
    await db
      .insert(emailSuppressions)
      .values({ email: 'ann@example.com', reason, createdAt: clock.now() });
    const emails = new EmailRecorder();
    await enqueue('Hello', 'Ann@Example.com', 'newsletter-confirmation');
    await openOutbox(emails).drain();
    expect(emails.sent).toEqual([]);
    expect(await onlyRow()).toMatchObject({
      state: 'dead',
      lastError: `suppressed: ${reason} (\`suppressions remove\` lifts it)`,
    });
  },
);

test('sends account emails after a complaint, but not after a bounce', async () => {
  const { db, clock, openOutbox, enqueue, rows } = openTestOutbox();
  const kinds = features.flatMap(({ accountEmails }) => accountEmails ?? []);
  expect(kinds).toContain('password-reset');
  const createdAt = clock.now();
  await db.insert(emailSuppressions).values([
    { email: 'complained@example.com', reason: 'complaint', createdAt },
    { email: 'bounced@example.com', reason: 'bounce', createdAt },
  ]);
  for (const to of ['complained@example.com', 'bounced@example.com']) {
    for (const kind of [...kinds, 'contact-receipt']) await enqueue('Hello', to, kind);
  }
  const emails = new EmailRecorder();
  const send = vi.spyOn(emails, 'send').mockResolvedValue({ outcome: 'sent' });
  await openOutbox(emails, { renderEmail: async () => ({ text: '', html: '' }) }).drain();

  const sent = send.mock.calls.map(([{ kind, to }]) => `${kind} ${to}`);
  expect(sent.sort()).toEqual(kinds.map((kind) => `${kind} complained@example.com`).sort());
  const dead = (await rows()).filter(({ state }) => state === 'dead');
  expect(dead).toHaveLength(kinds.length + 2);
});

test('stores a result later if the database is not writable, without sending again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { db, clock, openOutbox, enqueue, onlyRow } = openTestOutbox();
  const emails = new EmailRecorder();
  const outbox = openOutbox(emails);
  await enqueue('Hello');
  db.$client.exec(
    "CREATE TRIGGER full BEFORE UPDATE OF sent_at ON outbox BEGIN SELECT RAISE(ABORT, 'disk is full'); END",
  );
  await outbox.drain();
  expect(emails.sent).toHaveLength(1);
  expect(await onlyRow()).toMatchObject({ state: 'queued' });

  db.$client.exec('DROP TRIGGER full');
  clock.move(hour);
  vi.advanceTimersByTime(60 * second);
  await until(async () => (await onlyRow()).state === 'sent');
  expect(emails.sent).toHaveLength(1);
});

test('finds an email queued by another process within a minute', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { openOutbox, enqueue } = openTestOutbox();
  const emails = new EmailRecorder();
  await openOutbox(emails).drain();
  // The timer is set after the round that drain() waits for.
  await until(() => vi.getTimerCount() === 1);

  await enqueue('Hello');
  vi.advanceTimersByTime(60 * second);
  await until(() => emails.sent.length === 1);
  expect(emails.sent).toMatchObject([{ subject: 'Hello' }]);
});

test('stopping finishes emails in progress, and starts no others', async () => {
  const { openOutbox, enqueue, rows } = openTestOutbox();
  const transport = new SlowTransport();
  const outbox = openOutbox(transport);
  await enqueue('First');
  outbox.wake();
  const { answer } = await transport.next();

  const stopped = outbox.stop();
  await enqueue('Second');
  outbox.wake();
  answer({ outcome: 'sent' });
  await stopped;
  outbox.wake();

  expect(transport.sending).toEqual([]);
  expect((await rows()).map(({ state, attempts }) => [state, attempts])).toEqual([
    ['sent', 1],
    ['queued', 0],
  ]);
});

test('stopping abandons an email without a response, and the next start sends it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { clock, openOutbox, enqueue, onlyRow } = openTestOutbox();
  const hanging = new SlowTransport();
  const outbox = openOutbox(hanging);
  await enqueue('Hello');
  outbox.wake();
  await hanging.next();
  // Old enough to be given up, if stopping the server counted as a failed attempt.
  clock.move(100 * hour);

  const stopped = outbox.stop();
  vi.advanceTimersByTime(4 * second);
  await stopped;

  const left = await onlyRow();
  expect(left).toMatchObject({
    state: 'queued',
    attempts: 1,
    lastError: 'the server stopped before a response',
  });
  const emails = new EmailRecorder();
  clock.move(30 * second);
  await openOutbox(emails).drain();
  expect(emails.sent).toMatchObject([{ id: left.id, subject: 'Hello' }]);
});
