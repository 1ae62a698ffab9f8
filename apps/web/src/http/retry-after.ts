const maxSeconds = 24 * 60 * 60;

/**
 * Retry-After (RFC 9110 §10.2.3) in seconds; null if absent or a date. At most a day, because a
 * timer beyond 2^31 − 1 ms fires immediately.
 */
export function readRetryAfter(header: string | null): number | null {
  const seconds = Number(header);
  return seconds > 0 ? Math.min(seconds, maxSeconds) : null;
}
