import { hour, second } from '@app/contract/durations';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openTestOutbox } from '../testing/outbox.ts';
import { EmailRecorder } from '../testing/test-app.ts';
import { until } from '../testing/until.ts';

test('a failed email waits for its next attempt, and keeps its id', async () => {
  const { clock, openOutbox, enqueue, onlyRow } = openTestOutbox();
  const emails = new EmailRecorder();
  const outbox = openOutbox(emails);
  emails.answer = () => ({ outcome: 'failed', reason: '503: down' });
  await enqueue('Hello');
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
  const { clock, openOutbox, enqueue } = openTestOutbox();
  const emails = new EmailRecorder();
  const outbox = openOutbox(emails);
  emails.answer = () => ({ outcome: 'failed', reason: '503: down' });
  await enqueue('Hello');
  await outbox.drain();

  emails.answer = () => ({ outcome: 'sent' });
  clock.move(30 * second);
  vi.advanceTimersByTime(30 * second);
  await until(() => emails.sent.length === 1);
  expect(emails.sent).toMatchObject([{ subject: 'Hello', attempts: 2 }]);
});

test('a failing email does not delay others', async () => {
  const { openOutbox, enqueue } = openTestOutbox();
  const emails = new EmailRecorder();
  const outbox = openOutbox(emails);
  emails.answer = ({ subject }) =>
    subject === 'First' ? { outcome: 'failed', reason: '503: down' } : { outcome: 'sent' };
  await enqueue('First');
  await enqueue('Second');
  await outbox.drain();
  expect(emails.sent.map(({ subject }) => subject)).toEqual(['Second']);
});

test('gives up after 72 hours and keeps the row', async () => {
  const { clock, openOutbox, enqueue, onlyRow } = openTestOutbox();
  const emails = new EmailRecorder();
  const outbox = openOutbox(emails);
  let attempts = 0;
  emails.answer = () => {
    attempts += 1;
    return { outcome: 'failed', reason: '503: down' };
  };
  await enqueue('Hello');
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
  expect(outbox.depth()).toEqual({ queued: 0, dead: 1 });

  emails.answer = () => ({ outcome: 'sent' });
  clock.move(100 * hour);
  await outbox.drain();
  expect(emails.sent).toEqual([]);
});

test('gives up on a refused email at once', async () => {
  const { clock, openOutbox, enqueue, onlyRow } = openTestOutbox();
  const emails = new EmailRecorder();
  const outbox = openOutbox(emails);
  emails.answer = () => ({ outcome: 'refused', reason: '422: no such domain' });
  await enqueue('Hello');
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

test('reports a refused sender or login as a problem until an email is sent', async () => {
  const { clock, health, openOutbox, enqueue, onlyRow } = openTestOutbox();
  const emails = new EmailRecorder();
  const outbox = openOutbox(emails);
  const retry = async () => {
    clock.move((await onlyRow()).nextAttemptAt - clock.now());
    await outbox.drain();
  };
  emails.answer = () => ({ outcome: 'failed', reason: '553: not yours', refuses: 'sender' });
  await enqueue('Hello');
  await outbox.drain();
  expect(await onlyRow()).toMatchObject({
    state: 'queued',
    lastError: 'the sender is refused: 553: not yours',
  });
  expect(health.problems()).toEqual([
    'The email provider refuses the sender (MAIL_FROM): emails are waiting.',
  ]);

  emails.answer = () => ({ outcome: 'failed', reason: '535: who?', refuses: 'login' });
  await retry();
  expect(health.problems()).toEqual(['The email provider refuses the login: emails are waiting.']);

  emails.answer = () => ({ outcome: 'failed', reason: '503: down' });
  await retry();
  expect(health.problems()).toHaveLength(1);

  emails.answer = () => ({ outcome: 'sent' });
  await retry();
  expect(health.problems()).toEqual([]);
});

test('pauses all emails when rate-limited, without counting an attempt', async () => {
  const { clock, openOutbox, enqueue, rows } = openTestOutbox();
  const emails = new EmailRecorder();
  const outbox = openOutbox(emails);
  emails.answer = () => ({
    outcome: 'rate_limited',
    reason: '429: slower',
    retryAfter: 5 * second,
  });
  await enqueue('First');
  await outbox.drain();
  expect(await rows()).toMatchObject([
    { state: 'queued', attempts: 0, lastError: '429: slower', nextAttemptAt: clock.now() + 5_000 },
  ]);

  emails.answer = () => ({ outcome: 'sent' });
  await enqueue('Second');
  clock.move(5 * second - 1);
  await outbox.drain();
  expect(emails.sent).toEqual([]);
  clock.move(1);
  await outbox.drain();
  expect(emails.sent.map(({ subject }) => subject).sort()).toEqual(['First', 'Second']);
});

test('does not give up on rate-limited emails, but retries hourly', async () => {
  const { clock, openOutbox, enqueue, onlyRow } = openTestOutbox();
  const emails = new EmailRecorder();
  const outbox = openOutbox(emails);
  emails.answer = () => ({ outcome: 'rate_limited', reason: '429: quota', retryAfter: 500 * hour });
  await enqueue('Hello');
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
  const { openOutbox, enqueue, rows } = openTestOutbox();
  const outbox = openOutbox({
    async send({ subject }) {
      if (subject === 'First') throw new TypeError('a bug');
      return { outcome: 'sent' };
    },
  });
  await enqueue('First');
  await enqueue('Second');
  await outbox.drain();
  expect(await rows()).toMatchObject([
    { state: 'queued', attempts: 1, lastError: 'a bug' },
    { state: 'sent' },
  ]);
});
