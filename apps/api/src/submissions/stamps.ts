import { createHmac, timingSafeEqual } from 'node:crypto';
import { fastestSubmission } from '@app/contract/submissions';
import type { Clock } from '../clock.ts';

export type Stamps = ReturnType<typeof createStamps>;

/**
 * When a form was opened, as the server knows it: the time in milliseconds since 1970 with its
 * HMAC-SHA256 (RFC 2104), so that nobody can make up an earlier one. An old stamp is no
 * offence: people leave pages open for days.
 */
export function createStamps(secret: string, clock: Clock) {
  const sign = (time: string): Buffer => createHmac('sha256', secret).update(time).digest();

  return {
    issue(): string {
      const time = String(clock.now());
      return `${time}.${sign(time).toString('base64url')}`;
    },

    judge(stamp: string): 'good' | 'forged' | 'too_fast' {
      const [time = '', signature = ''] = stamp.split('.');
      const given = Buffer.from(signature, 'base64url');
      const expected = sign(time);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'forged';
      return clock.now() - Number(time) < fastestSubmission ? 'too_fast' : 'good';
    },
  };
}
