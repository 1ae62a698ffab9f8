import { createHmac, timingSafeEqual } from 'node:crypto';
import { fastestSubmission } from '@app/contract/forms/submit';
import type { Clock } from '../../clock.ts';
import { newToken } from '../../tokens.ts';

export type Stamps = ReturnType<typeof createStamps>;

/**
 * When a form was opened, as the server knows it: the time in milliseconds since 1970 with its
 * HMAC-SHA256 (RFC 2104), so that nobody can make up an earlier one. An old stamp is no
 * offence: people leave pages open for days.
 */
export function createStamps(secret: string, clock: Clock) {
  // Times of the monotonic clock mean something to this process alone.
  const processId = newToken().slice(0, 8);
  const sign = (times: string): Buffer => createHmac('sha256', secret).update(times).digest();

  /** How long ago that was: by the clock that nobody sets, unless the server was started since. */
  const ageOf = (times: string): number => {
    const [wallTime, monotonicTime, issuedBy] = times.split('_');
    return issuedBy === processId
      ? clock.monotonic() - Number(monotonicTime)
      : clock.now() - Number(wallTime);
  };

  return {
    issue(): string {
      const times = [clock.now(), Math.floor(clock.monotonic()), processId].join('_');
      return `${times}.${sign(times).toString('base64url')}`;
    },

    judge(stamp: string): 'good' | 'forged' | 'too_fast' {
      const [times = '', signature = ''] = stamp.split('.');
      const given = Buffer.from(signature, 'base64url');
      const expected = sign(times);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'forged';
      const age = ageOf(times);
      // Less than nothing is a clock that was set back, and no haste.
      return age >= 0 && age < fastestSubmission ? 'too_fast' : 'good';
    },
  };
}
