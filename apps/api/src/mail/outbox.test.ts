import { migrate } from '@app/db/migrate';
import { close, open } from '@app/db/open';
import { outbox as outboxTable } from '@app/db/schema/mail';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../log.ts';
import { MailRecorder, MovingClock } from '../testing/test-app.ts';
import { until } from '../testing/until.ts';
import { createOutbox, insertMail } from './outbox.ts';
import type { MailTransport, OutgoingMail, SendResult } from './transport.ts';

const hour = 3_600_000;
const second = 1_000;

function makeMailroom() {
  const db = open(':memory:');
  migrate(db);
  onTestFinished(() => close(db));
  const clock = new MovingClock();
  const openOutbox = (transport: MailTransport) => {
    const outbox = createOutbox(db, clock, createLog('silent'), transport);
    onTestFinished(() => outbox.stop());
    return outbox;
  };
  const promise = async (subject: string): Promise<void> => {
    const letter = { text: 'Hello', html: '<p>Hello</p>' };
    await insertMail(db, clock.now(), { kind: 'test', to: 'ann@example.com', subject, ...letter });
  };
  const rows = async (): Promise<OutgoingMail[]> => db.select().from(outboxTable);
  const onlyRow = async (): Promise<OutgoingMail> => {
    const [row] = await rows();
    if (!row) throw new Error('the outbox is empty');
    return row;
  };
  return { clock, openOutbox, promise, rows, onlyRow };
}

/** A provider that takes its time: each mail waits for `answer`. */
class SlowTransport implements MailTransport {
  readonly underway: { mail: OutgoingMail; answer: (result: SendResult) => void }[] = [];
  send(mail: OutgoingMail): Promise<SendResult> {
    return new Promise((answer) => this.underway.push({ mail, answer }));
  }
  next() {
    return until(() => this.underway.shift());
  }
}

test('a mail is sent once, and its row says so', async () => {
  const { clock, openOutbox, promise, onlyRow } = makeMailroom();
  const mail = new MailRecorder();
  const outbox = openOutbox(mail);
  await promise('Hello');

  await outbox.drain();
  clock.move(100 * hour);
  await outbox.drain();

  expect(mail.sent.map(({ subject }) => subject)).toEqual(['Hello']);
  expect(await onlyRow()).toMatchObject({
    id: mail.sent[0]?.id,
    state: 'sent',
    attempts: 1,
    sentAt: clock.now() - 100 * hour,
  });
  expect(await outbox.depth()).toEqual({ queued: 0, dead: 0 });
});

test('a subject is one line, whatever a name in it contains', async () => {
  const { promise, onlyRow } = makeMailroom();
  await promise('Message from Ann\r\nBcc: everybody@example.com');
  expect((await onlyRow()).subject).toBe('Message from Ann Bcc: everybody@example.com');
});

test('a failed mail waits for its next attempt, and keeps its id', async () => {
  const { clock, openOutbox, promise, onlyRow } = makeMailroom();
  const mail = new MailRecorder();
  const outbox = openOutbox(mail);
  mail.answer = () => ({ outcome: 'failed', reason: '503: down' });
  await promise('Hello');
  await outbox.drain();
  const failed = await onlyRow();
  expect(failed).toMatchObject({ state: 'queued', attempts: 1, lastError: '503: down' });
  expect(failed.nextAttemptAt - clock.now()).toBeGreaterThanOrEqual(15 * second);
  expect(failed.nextAttemptAt - clock.now()).toBeLessThanOrEqual(30 * second);

  mail.answer = () => ({ outcome: 'sent' });
  clock.move(failed.nextAttemptAt - clock.now() - 1);
  await outbox.drain();
  expect(mail.sent).toEqual([]);
  clock.move(1);
  await outbox.drain();

  expect(mail.sent).toMatchObject([{ id: failed.id, attempts: 2 }]);
  expect(await onlyRow()).toMatchObject({ state: 'sent', lastError: null });
});

test('the next attempt comes by itself when its time has come', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { clock, openOutbox, promise } = makeMailroom();
  const mail = new MailRecorder();
  const outbox = openOutbox(mail);
  mail.answer = () => ({ outcome: 'failed', reason: '503: down' });
  await promise('Hello');
  await outbox.drain();

  mail.answer = () => ({ outcome: 'sent' });
  clock.move(30 * second);
  vi.advanceTimersByTime(30 * second);
  await until(() => mail.sent.length === 1);
  expect(mail.sent).toMatchObject([{ subject: 'Hello', attempts: 2 }]);
});

test('a mail that fails does not keep the others back', async () => {
  const { openOutbox, promise } = makeMailroom();
  const mail = new MailRecorder();
  const outbox = openOutbox(mail);
  mail.answer = ({ subject }) =>
    subject === 'First' ? { outcome: 'failed', reason: '503: down' } : { outcome: 'sent' };
  await promise('First');
  await promise('Second');
  await outbox.drain();
  expect(mail.sent.map(({ subject }) => subject)).toEqual(['Second']);
});

test('after 72 hours a mail is given up, kept, and tried no more', async () => {
  const { clock, openOutbox, promise, onlyRow } = makeMailroom();
  const mail = new MailRecorder();
  const outbox = openOutbox(mail);
  let attempts = 0;
  mail.answer = () => {
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

  mail.answer = () => ({ outcome: 'sent' });
  clock.move(100 * hour);
  await outbox.drain();
  expect(mail.sent).toEqual([]);
});

test('a refused mail is given up at once', async () => {
  const { clock, openOutbox, promise, onlyRow } = makeMailroom();
  const mail = new MailRecorder();
  const outbox = openOutbox(mail);
  mail.answer = () => ({ outcome: 'refused', reason: '422: no such domain' });
  await promise('Hello');
  await outbox.drain();
  expect(await onlyRow()).toMatchObject({
    state: 'dead',
    attempts: 1,
    lastError: '422: no such domain',
  });

  mail.answer = () => ({ outcome: 'sent' });
  clock.move(100 * hour);
  await outbox.drain();
  expect(mail.sent).toEqual([]);
});

test('a mail whose sender crashed is sent again under the same id, once its lease is over', async () => {
  const { clock, openOutbox, promise } = makeMailroom();
  await promise('Hello');
  const crashing = new SlowTransport();
  openOutbox(crashing).wake();
  const { mail: taken, answer } = await crashing.next();
  onTestFinished(() => answer({ outcome: 'sent' }));

  const mail = new MailRecorder();
  const restarted = openOutbox(mail);
  clock.move(119 * second);
  await restarted.drain();
  expect(mail.sent).toEqual([]);
  clock.move(1 * second);
  await restarted.drain();

  expect(mail.sent).toMatchObject([{ id: taken.id, attempts: 2 }]);
});

test('being woken while a mail is underway sends it once, and takes what has come since', async () => {
  const { openOutbox, promise, rows } = makeMailroom();
  const transport = new SlowTransport();
  const outbox = openOutbox(transport);
  await promise('First');
  outbox.wake();
  const first = await transport.next();

  await promise('Second');
  outbox.wake();
  const drained = outbox.drain();
  expect(transport.underway).toEqual([]);
  first.answer({ outcome: 'sent' });
  const second = await transport.next();
  expect(second.mail.subject).toBe('Second');
  second.answer({ outcome: 'sent' });
  await drained;

  expect(transport.underway).toEqual([]);
  expect((await rows()).map(({ state, attempts }) => [state, attempts])).toEqual([
    ['sent', 1],
    ['sent', 1],
  ]);
});

test('stopping ends the mail that is underway, and takes no other', async () => {
  const { openOutbox, promise, rows } = makeMailroom();
  const transport = new SlowTransport();
  const outbox = openOutbox(transport);
  await promise('First');
  await promise('Second');
  outbox.wake();
  const { answer } = await transport.next();

  const stopped = outbox.stop();
  answer({ outcome: 'sent' });
  await stopped;
  outbox.wake();

  expect(transport.underway).toEqual([]);
  expect((await rows()).map(({ state, attempts }) => [state, attempts])).toEqual([
    ['sent', 1],
    ['queued', 0],
  ]);
});
