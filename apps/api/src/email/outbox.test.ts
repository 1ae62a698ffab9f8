import { setImmediate } from 'node:timers/promises';
import { migrate } from '@app/db/migrate';
import { close, open } from '@app/db/open';
import { emailSuppressions, outbox as outboxTable } from '@app/db/schema/email';
import { expect, onTestFinished, test, vi } from 'vitest';
import { renderEmail } from '../email-worker.ts';
import { createLog } from '../log.ts';
import { EmailRecorder, MovingClock } from '../testing/test-app.ts';
import { until } from '../testing/until.ts';
import { createOutbox, enqueueEmail } from './outbox.ts';
import type { EmailTransport, OutboxEmail, OutgoingEmail, SendResult } from './transport.ts';

const hour = 3_600_000;
const second = 1_000;

function setUp() {
  const db = open(':memory:');
  migrate(db);
  onTestFinished(() => close(db));
  const clock = new MovingClock();
  const openOutbox = (transport: EmailTransport, { keepLinks = false } = {}) => {
    const log = createLog('silent');
    const storage = { note: () => null };
    const outbox = createOutbox({ db, clock, log, storage, transport, renderEmail, keepLinks });
    onTestFinished(() => outbox.stop());
    return outbox;
  };
  const promise = async (subject: string, to = 'ann@example.com'): Promise<void> => {
    const props = { link: 'https://site.example/auth' };
    const email = { kind: 'already-registered', to, subject, props };
    db.transaction((tx) => enqueueEmail(tx, clock.now(), email));
  };
  const rows = async (): Promise<OutboxEmail[]> => db.select().from(outboxTable);
  const onlyRow = async (): Promise<OutboxEmail> => {
    const [row] = await rows();
    if (!row) throw new Error('the outbox is empty');
    return row;
  };
  return { db, clock, openOutbox, promise, rows, onlyRow };
}

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
  const { db, clock, openOutbox, onlyRow } = setUp();
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
  const { db, clock, openOutbox, onlyRow } = setUp();
  const outbox = openOutbox(new EmailRecorder(), { keepLinks: true });
  db.transaction((tx) => enqueueEmail(tx, clock.now(), welcome));
  await outbox.drain();
  expect((await onlyRow()).props).toEqual(welcome.props);
});

test.each([
  ['of an unknown kind', { kind: 'no-such-kind' }, 'there is no template "no-such-kind"'],
  [
    'without a prop',
    { props: {} },
    'blogLink: Invalid key: Expected "blogLink" but received undefined',
  ],
  ['with a wrong prop', { props: { ...welcome.props, blogLink: 1 } }, 'blogLink: Invalid type'],
])('gives up an email %s at once, and sends the others', async (_what, change, reason) => {
  const { db, clock, openOutbox, promise, rows } = setUp();
  const emails = new EmailRecorder();
  const given = { ...welcome, ...change };
  db.transaction((tx) => enqueueEmail(tx, clock.now(), given));
  await promise('Hello');

  await openOutbox(emails).drain();

  expect(emails.sent.map(({ subject }) => subject)).toEqual(['Hello']);
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
  const { clock, openOutbox, promise } = setUp();
  const bodies: string[] = [];
  const outbox = openOutbox({
    async send({ text, html }) {
      bodies.push(text + html);
      return { outcome: 'failed', reason: '503' };
    },
  });
  await promise('Hello');
  await outbox.drain();
  clock.move(hour);
  await outbox.drain();
  expect(bodies).toHaveLength(2);
  expect(bodies[1]).toBe(bodies[0]);
});

test('sends an email once and records it', async () => {
  const { clock, openOutbox, promise, onlyRow } = setUp();
  const emails = new EmailRecorder();
  const outbox = openOutbox(emails);
  await promise('Hello');

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
  expect(await outbox.depth()).toEqual({ queued: 0, dead: 0 });
});

test('a subject has no line breaks', async () => {
  const { promise, onlyRow } = setUp();
  await promise('Message from Ann\r\nBcc: everybody@example.com');
  expect((await onlyRow()).subject).toBe('Message from Ann Bcc: everybody@example.com');
});

test('a failed email waits for its next attempt, and keeps its id', async () => {
  const { clock, openOutbox, promise, onlyRow } = setUp();
  const emails = new EmailRecorder();
  const outbox = openOutbox(emails);
  emails.answer = () => ({ outcome: 'failed', reason: '503: down' });
  await promise('Hello');
  await outbox.drain();
  const failed = await onlyRow();
  expect(failed).toMatchObject({ state: 'queued', attempts: 1, lastError: '503: down' });
  expect(failed.nextAttemptAt - clock.now()).toBeGreaterThanOrEqual(15 * second);
  expect(failed.nextAttemptAt - clock.now()).toBeLessThanOrEqual(30 * second);

  emails.answer = () => ({ outcome: 'sent' });
  clock.move(failed.nextAttemptAt - clock.now() - 1);
  await outbox.drain();
  expect(emails.sent).toEqual([]);
  clock.move(1);
  await outbox.drain();

  expect(emails.sent).toMatchObject([{ id: failed.id, attempts: 2 }]);
  expect(await onlyRow()).toMatchObject({ state: 'sent', lastError: null });
});

test('retries when the next attempt is due', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { clock, openOutbox, promise } = setUp();
  const emails = new EmailRecorder();
  const outbox = openOutbox(emails);
  emails.answer = () => ({ outcome: 'failed', reason: '503: down' });
  await promise('Hello');
  await outbox.drain();

  emails.answer = () => ({ outcome: 'sent' });
  clock.move(30 * second);
  vi.advanceTimersByTime(30 * second);
  await until(() => emails.sent.length === 1);
  expect(emails.sent).toMatchObject([{ subject: 'Hello', attempts: 2 }]);
});

test('a failing email does not delay others', async () => {
  const { openOutbox, promise } = setUp();
  const emails = new EmailRecorder();
  const outbox = openOutbox(emails);
  emails.answer = ({ subject }) =>
    subject === 'First' ? { outcome: 'failed', reason: '503: down' } : { outcome: 'sent' };
  await promise('First');
  await promise('Second');
  await outbox.drain();
  expect(emails.sent.map(({ subject }) => subject)).toEqual(['Second']);
});

test('gives up after 72 hours and keeps the row', async () => {
  const { clock, openOutbox, promise, onlyRow } = setUp();
  const emails = new EmailRecorder();
  const outbox = openOutbox(emails);
  let attempts = 0;
  emails.answer = () => {
    attempts += 1;
    return { outcome: 'failed', reason: '503: down' };
  };
  await promise('Hello');
  const began = clock.now();

  await outbox.drain();
  for (let row = await onlyRow(); row.state === 'queued'; row = await onlyRow()) {
    expect(row.createdAt + 72 * hour).toBeGreaterThanOrEqual(clock.now());
    clock.move(row.nextAttemptAt - clock.now());
    await outbox.drain();
  }

  expect(clock.now() - began).toBeGreaterThan(72 * hour);
  expect(clock.now() - began).toBeLessThanOrEqual(78 * hour);
  expect(await onlyRow()).toMatchObject({ state: 'dead', attempts, lastError: '503: down' });
  expect(await outbox.depth()).toEqual({ queued: 0, dead: 1 });

  emails.answer = () => ({ outcome: 'sent' });
  clock.move(100 * hour);
  await outbox.drain();
  expect(emails.sent).toEqual([]);
});

test('gives up a refused email at once', async () => {
  const { clock, openOutbox, promise, onlyRow } = setUp();
  const emails = new EmailRecorder();
  const outbox = openOutbox(emails);
  emails.answer = () => ({ outcome: 'refused', reason: '422: no such domain' });
  await promise('Hello');
  await outbox.drain();
  expect(await onlyRow()).toMatchObject({
    state: 'dead',
    attempts: 1,
    lastError: '422: no such domain',
  });

  emails.answer = () => ({ outcome: 'sent' });
  clock.move(100 * hour);
  await outbox.drain();
  expect(emails.sent).toEqual([]);
});

test('sends an email again with the same id when its lease ends after a crash', async () => {
  const { clock, openOutbox, promise } = setUp();
  await promise('Hello');
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

test('does not send an email twice while it outlasts its lease', async () => {
  const { clock, openOutbox, promise, onlyRow } = setUp();
  const transport = new SlowTransport();
  const outbox = openOutbox(transport);
  await promise('Hello');
  outbox.wake();
  const { answer } = await transport.next();

  clock.move(121 * second);
  await promise('Another');
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
  const { openOutbox, promise, rows } = setUp();
  const transport = new SlowTransport();
  const outbox = openOutbox(transport);
  await promise('First');
  outbox.wake();
  const first = await transport.next();

  await promise('Second');
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
  const { openOutbox, promise, rows } = setUp();
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
  for (const subject of subjects) await promise(subject);

  await outbox.drain();

  expect(max).toBe(8);
  expect(sent.toSorted()).toEqual(subjects.toSorted());
  expect(new Set((await rows()).map(({ state, attempts }) => `${state} ${attempts}`))).toEqual(
    new Set(['sent 1']),
  );
});

test('pauses all emails when rate-limited, without counting an attempt', async () => {
  const { clock, openOutbox, promise, rows } = setUp();
  const emails = new EmailRecorder();
  const outbox = openOutbox(emails);
  emails.answer = () => ({
    outcome: 'rate_limited',
    reason: '429: slower',
    retryAfter: 5 * second,
  });
  await promise('First');
  await outbox.drain();
  expect(await rows()).toMatchObject([
    { state: 'queued', attempts: 0, lastError: '429: slower', nextAttemptAt: clock.now() + 5_000 },
  ]);

  emails.answer = () => ({ outcome: 'sent' });
  await promise('Second');
  clock.move(5 * second - 1);
  await outbox.drain();
  expect(emails.sent).toEqual([]);
  clock.move(1);
  await outbox.drain();
  expect(emails.sent.map(({ subject }) => subject).sort()).toEqual(['First', 'Second']);
});

test('does not give up rate-limited emails, but retries hourly', async () => {
  const { clock, openOutbox, promise, onlyRow } = setUp();
  const emails = new EmailRecorder();
  const outbox = openOutbox(emails);
  emails.answer = () => ({ outcome: 'rate_limited', reason: '429: quota', retryAfter: 500 * hour });
  await promise('Hello');
  for (let n = 0; n < 100; n += 1) {
    await outbox.drain();
    expect(await onlyRow()).toMatchObject({ state: 'queued', attempts: 0 });
    clock.move(hour);
  }
  emails.answer = () => ({ outcome: 'sent' });
  await outbox.drain();
  expect(await onlyRow()).toMatchObject({ state: 'sent', attempts: 1 });
});

test('a transport that throws fails only its email', async () => {
  const { openOutbox, promise, rows } = setUp();
  const outbox = openOutbox({
    async send({ subject }) {
      if (subject === 'First') throw new TypeError('a bug');
      return { outcome: 'sent' };
    },
  });
  await promise('First');
  await promise('Second');
  await outbox.drain();
  expect(await rows()).toMatchObject([
    { state: 'queued', attempts: 1, lastError: 'a bug' },
    { state: 'sent' },
  ]);
});

test.each(['bounce', 'complaint'] as const)(
  'sends nothing to an address after a %s',
  async (reason) => {
    const { db, clock, openOutbox, promise, onlyRow } = setUp();
    await db
      .insert(emailSuppressions)
      .values({ email: 'ann@example.com', reason, createdAt: clock.now() });
    const emails = new EmailRecorder();
    await promise('Hello', 'Ann@Example.com');
    await openOutbox(emails).drain();
    expect(emails.sent).toEqual([]);
    expect(await onlyRow()).toMatchObject({ state: 'dead', lastError: `suppressed: ${reason}` });
  },
);

test('stores a result later if the database is not writable, without sending again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { db, clock, openOutbox, promise, onlyRow } = setUp();
  const emails = new EmailRecorder();
  const outbox = openOutbox(emails);
  await promise('Hello');
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
  const { openOutbox, promise } = setUp();
  const emails = new EmailRecorder();
  await openOutbox(emails).drain();
  // Set after the round that drain() waits for.
  await until(() => vi.getTimerCount() === 1);

  await promise('Hello');
  vi.advanceTimersByTime(60 * second);
  await until(() => emails.sent.length === 1);
  expect(emails.sent).toMatchObject([{ subject: 'Hello' }]);
});

test('stopping finishes emails in progress, and starts no others', async () => {
  const { openOutbox, promise, rows } = setUp();
  const transport = new SlowTransport();
  const outbox = openOutbox(transport);
  await promise('First');
  outbox.wake();
  const { answer } = await transport.next();

  const stopped = outbox.stop();
  await promise('Second');
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
  const { clock, openOutbox, promise, onlyRow } = setUp();
  const hanging = new SlowTransport();
  const outbox = openOutbox(hanging);
  await promise('Hello');
  outbox.wake();
  await hanging.next();
  // A stop is no reason to give up an old email.
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
