const second = 1_000;
const hour = 3_600 * second;

/** How long a mail is tried, at least, before it is given up. */
const maxAge = 72 * hour;

/** The longest wait before another attempt, in milliseconds. */
export const maxDelay = 6 * hour;

/** An old mail that was put back by hand, or waited while the server was off, is tried as often. */
const minAttempts = 12;

/**
 * How long to wait after the given number of failed attempts, in milliseconds:
 * 30 s, doubling up to 6 h. Anywhere from that down to half of it, so that mails
 * which failed together do not come back together.
 */
export function retryDelay(attempts: number, random: () => number = Math.random): number {
  const longest = Math.min(30 * second * 2 ** (attempts - 1), maxDelay);
  return Math.round(longest * (0.5 + random() / 2));
}

/** Whether a mail that failed again was tried for long enough, and often enough. */
export const isOverdue = (
  { createdAt, attempts }: { createdAt: number; attempts: number },
  now: number,
): boolean =>
  // One from the future was made while the clock was ahead: its attempts have to do.
  attempts >= minAttempts && Math.abs(now - createdAt) > maxAge;
