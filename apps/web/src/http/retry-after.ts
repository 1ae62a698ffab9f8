const maxSeconds = 24 * 60 * 60;

/**
 * How long a Retry-After header asks to wait (RFC 9110 §10.2.3), in seconds; null without one, or
 * with a date. A day at most: a timer beyond 2^31 − 1 ms would fire at once.
 */
export function readRetryAfter(header: string | null): number | null {
  const seconds = Number(header);
  return seconds > 0 ? Math.min(seconds, maxSeconds) : null;
}
