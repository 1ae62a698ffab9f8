const second = 1_000;
const hour = 3_600 * second;

/** How long a mail is tried before it is given up. */
const giveUpAfter = 72 * hour;

/**
 * How long to wait after the given number of failed attempts, in milliseconds:
 * 30 s, doubling up to 6 h. Anywhere from that down to half of it, so that mails
 * which failed together do not come back together.
 */
export function retryDelay(attempts: number, random: () => number = Math.random): number {
  const longest = Math.min(30 * second * 2 ** (attempts - 1), 6 * hour);
  return Math.round(longest * (0.5 + random() / 2));
}

export const isOverdue = (createdAt: number, now: number): boolean => now - createdAt > giveUpAfter;
