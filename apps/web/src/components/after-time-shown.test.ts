import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { afterTimeShown } from './after-time-shown.ts';

const page = { hidden: false };
const message = { isHeld: false, matches: () => message.isHeld };

beforeEach(() => {
  page.hidden = message.isHeld = false;
  vi.stubGlobal('document', page);
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
});

test('calls back once, after the given time', () => {
  const done = vi.fn();
  afterTimeShown(message, 10_000, done);
  vi.advanceTimersByTime(9_999);
  expect(done).not.toHaveBeenCalled();
  vi.advanceTimersByTime(60_000);
  expect(done).toHaveBeenCalledOnce();
});

test('does not count time in which the page is hidden', () => {
  const done = vi.fn();
  afterTimeShown(message, 10_000, done);
  vi.advanceTimersByTime(9_000);
  page.hidden = true;
  vi.advanceTimersByTime(60_000);
  page.hidden = false;
  expect(done).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_000);
  expect(done).toHaveBeenCalledOnce();
});

test('does not count time in which the page is suspended', () => {
  const done = vi.fn();
  afterTimeShown(message, 10_000, done);
  vi.advanceTimersByTime(5_000);
  // After a stall, browsers run an overdue timer only once.
  vi.setSystemTime(Date.now() + 60_000);
  vi.advanceTimersByTime(4_000);
  expect(done).not.toHaveBeenCalled();
});

test('starts over while the message is hovered or focused', () => {
  const done = vi.fn();
  afterTimeShown(message, 10_000, done);
  vi.advanceTimersByTime(9_000);
  message.isHeld = true;
  vi.advanceTimersByTime(60_000);
  message.isHeld = false;
  vi.advanceTimersByTime(9_000);
  expect(done).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_000);
  expect(done).toHaveBeenCalledOnce();
});

test('can be canceled', () => {
  const done = vi.fn();
  afterTimeShown(message, 10_000, done)();
  vi.advanceTimersByTime(60_000);
  expect(done).not.toHaveBeenCalled();
});
