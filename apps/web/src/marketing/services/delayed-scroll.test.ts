import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { delayedScroll } from './delayed-scroll.ts';

test.each([
  [false, 'DOMContentLoaded'],
  [true, 'prerenderingchange'],
])('scrolls 300 ms later (prerendering %s, after %s)', (prerendering, shown) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const events = new EventTarget();
  const replace = vi.fn();
  runInNewContext(delayedScroll(['betty']), {
    location: { hash: '#betty', origin: 'https://site.example', replace },
    document: { prerendering, referrer: 'https://site.example/' },
    history: { replaceState: () => undefined },
    performance: { getEntriesByType: () => [{ type: 'navigate' }] },
    addEventListener: events.addEventListener.bind(events),
    setTimeout,
  });
  vi.advanceTimersByTime(60_000);
  events.dispatchEvent(new Event(shown));
  vi.advanceTimersByTime(299);
  expect(replace).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(replace).toHaveBeenCalledExactlyOnceWith('#betty');
});
