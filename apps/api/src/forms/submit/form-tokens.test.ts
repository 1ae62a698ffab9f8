import { expect, test } from 'vitest';
import { MovingClock } from '../../testing/test-app.ts';
import { createFormTokens } from './form-tokens.ts';

test('measures the age of a token by the monotonic clock, in every process', () => {
  for (let process = 0; process < 100; process += 1) {
    const clock = new MovingClock();
    const tokens = createFormTokens('secret', clock);
    const token = tokens.issue();
    clock.move(2_500);
    clock.set(-1_000);
    expect(tokens.verify(token)).toBe('valid');
  }
});
