import { hour, second } from '@app/contract/durations';
import { exponentialBackoff } from '../exponential-backoff.ts';

const maxAge = 72 * hour;

/** In milliseconds. */
export const maxDelay = 6 * hour;

/** Also applies to emails that are resent manually, or that waited while the server was off. */
const minAttempts = 12;

export const retryDelay = exponentialBackoff({ first: 30 * second, max: maxDelay });

export const isOverdue = (
  { createdAt, attempts }: { createdAt: number; attempts: number },
  now: number,
): boolean =>
  // The absolute difference, because the email may have been created while the clock was ahead.
  attempts >= minAttempts && Math.abs(now - createdAt) > maxAge;
