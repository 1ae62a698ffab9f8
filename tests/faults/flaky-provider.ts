import { randomInt } from 'node:crypto';
import type { Behavior, EmailProvider } from '../support/email-provider.ts';

/** In percent. */
const troubles: readonly [Behavior, number][] = [
  ['fails', 15],
  ['breaks off', 10],
  ['takes it and breaks off', 10],
  ['takes it late', 5],
  ['asks for a rest', 2],
];

export function flaky(): Behavior {
  let left = randomInt(100);
  for (const [behavior, percent] of troubles) {
    if (left < percent) return behavior;
    left -= percent;
  }
  return 'takes it';
}

/** The first deliveries always fail, once in each way. */
export function flakyAtFirst(behave: () => Behavior): () => Behavior {
  const first: Behavior[] = ['fails', 'breaks off', 'takes it and breaks off', 'takes it late'];
  return () => first.shift() ?? behave();
}

export const troublesMet = ({ counts }: EmailProvider): number =>
  troubles.reduce((sum, [trouble]) => sum + (counts.get(trouble) ?? 0), 0);
