import { hour, second } from '@app/contract/durations';

const maxAge = 72 * hour;

/** In milliseconds. */
export const maxDelay = 6 * hour;

/** Also for emails that are resent manually or waited while the server was off. */
const minAttempts = 12;

/** In milliseconds: 30 s, doubling up to 6 h, with jitter down to half of it. */
export function retryDelay(attempts: number, random: () => number = Math.random): number {
  const longest = Math.min(30 * second * 2 ** (attempts - 1), maxDelay);
  return Math.round(longest * (0.5 + random() / 2));
}

export const isOverdue = (
  { createdAt, attempts }: { createdAt: number; attempts: number },
  now: number,
): boolean =>
  // Absolute: the email may have been created while the clock was ahead.
  attempts >= minAttempts && Math.abs(now - createdAt) > maxAge;
