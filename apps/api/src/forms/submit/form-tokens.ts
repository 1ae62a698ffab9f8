import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { minFormAge } from '@app/contract/forms/submit';
import type { Clock } from '../../clock.ts';

export type FormTokens = ReturnType<typeof createFormTokens>;

/** Signed timestamps (HMAC-SHA256, RFC 2104) of when a form was opened. They do not expire. */
export function createFormTokens(secret: string, clock: Clock) {
  // The monotonic clock is only comparable within a process. Hexadecimal: underscores separate the parts.
  const processId = randomBytes(4).toString('hex');
  const sign = (times: string): Buffer => createHmac('sha256', secret).update(times).digest();

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

    verify(token: string): 'valid' | 'forged' | 'too_fast' {
      const [times = '', signature = ''] = token.split('.');
      const given = Buffer.from(signature, 'base64url');
      const expected = sign(times);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'forged';
      const age = ageOf(times);
      // Negative when the clock was set back.
      return age >= 0 && age < minFormAge ? 'too_fast' : 'valid';
    },
  };
}
