import { randomBytes } from 'node:crypto';
import { minFormAge } from '@app/contract/forms/submit';
import type { Clock } from '../../clock.ts';
import { createSigner } from '../../tokens.ts';

export type FormTokens = ReturnType<typeof createFormTokens>;

/** Signed timestamps of when a form was opened. They do not expire. */
export function createFormTokens(secret: string, clock: Clock) {
  // The monotonic clock is only comparable within a process. Hexadecimal, because underscores
  // separate the parts.
  const processId = randomBytes(4).toString('hex');
  const signer = createSigner(secret);

  const ageOf = (times: string): number => {
    const [wallTime, monotonicTime, issuedBy] = times.split('_');
    return issuedBy === processId
      ? clock.monotonic() - Number(monotonicTime)
      : clock.now() - Number(wallTime);
  };

  return {
    issue(): string {
      const times = [clock.now(), Math.floor(clock.monotonic()), processId].join('_');
      return `${times}.${signer.sign(times)}`;
    },

    verify(token: string): 'valid' | 'forged' | 'too_fast' {
      const [times = '', signature = ''] = token.split('.');
      if (!signer.verify(times, signature)) return 'forged';
      const age = ageOf(times);
      // Negative when the clock was set back.
      return age >= 0 && age < minFormAge ? 'too_fast' : 'valid';
    },
  };
}
