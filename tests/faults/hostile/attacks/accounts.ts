import { password } from '../accounts.ts';
import { type Attack, attacker, pick, send, unique } from '../attack.ts';

/** Must not be in an email to a visitor, whose address anyone can enter. */
export const relayed = 'Your account is locked: call (555) 010-0199';

export const accountAttacks: readonly Attack[] = [
  {
    name: 'emails to another person',
    pause: 60,
    async round(world, n) {
      const tag = n % 3 === 0 ? '' : `+${n % 50}`;
      const email = pick([`victim${tag}@example.com`, `stranger${tag}@example.com`], n);
      const [path, body] = pick<[string, object]>(
        [
          ['/api/auth/sign-up', { email, password }],
          ['/api/auth/resend-confirmation', { email }],
          ['/api/auth/forgot-password', { email }],
          ['/api/newsletter', { email }],
          ['/api/contact', { name: 'V', email, message: `${relayed} ${unique()}` }],
          ['/api/careers', { name: 'Vi', email, message: `${relayed} ${unique()}` }],
          ['/api/auth/email', { email }],
        ],
        Math.floor(n / 2),
      );
      const { session } = attacker(world, n);
      await send(world, 'POST', path, { session, body });
    },
  },
  {
    name: 'guessed passwords',
    pause: 10,
    workers: 8,
    async round(world, n) {
      const email = n % 2 === 0 ? world.accounts.victim.email : `nobody-${n % 100}@example.com`;
      await send(world, 'POST', '/api/auth/sign-in', { body: { email, password: unique() } });
    },
  },
  {
    name: 'names of combining characters',
    pause: 300,
    async round(world, n) {
      const fullName = pick(
        [
          `a${'\u0301'.repeat(60_000)}${'\u0327'.repeat(60_000)}`,
          'Fieldlight AI',
          `a${'\u0301'.repeat(90)}`,
          ' '.repeat(500_000),
          'ﷺ'.repeat(90),
        ],
        n,
      );
      const { session } = attacker(world, n);
      await send(world, 'PATCH', '/api/profile', { session, body: { fullName } });
      await send(world, 'PATCH', '/api/profile', { session, body: { username: fullName } });
    },
  },
];
