import { emailSuppressions } from '@app/db/schema/email';
import { beforeEach, expect, test } from 'vitest';
import { siteForEachTest } from '../testing/cli.ts';

const site = siteForEachTest();

beforeEach(async () => {
  const createdAt = site.clock.now();
  await site.db.insert(emailSuppressions).values([
    { email: 'ann@example.com', reason: 'bounce', detail: 'General: mailbox full', createdAt },
    { email: 'bob@example.com', reason: 'complaint', createdAt: createdAt - 60_000 },
  ]);
});

test('suppressed addresses are listed with the reasons', async () => {
  expect(await site.output('suppressions list')).toBe(
    [
      'EMAIL            REASON     STOPS                      SUPPRESSED (UTC)',
      'ann@example.com  bounce     all                        2026-03-01 12:00',
      '    General: mailbox full',
      'bob@example.com  complaint  all except account emails  2026-03-01 11:59',
      '',
    ].join('\n'),
  );
  expect(await site.json('suppressions list --limit 1')).toEqual({
    suppressions: [
      {
        email: 'ann@example.com',
        reason: 'bounce',
        stops: 'all',
        detail: 'General: mailbox full',
        suppressedAt: '2026-03-01T12:00:00.000Z',
      },
    ],
    total: 2,
  });
});

test('a suppression is removed, in any spelling of the address', async () => {
  expect(await site.output('suppressions remove Ann@Example.com')).toBe(
    'ann@example.com is no longer suppressed. `outbox resend` sends the emails that failed.\n',
  );
  expect(await site.output('suppressions list')).not.toContain('ann@');

  const again = await site.run('suppressions remove ann@example.com');
  expect(again).toEqual({ exitCode: 1, out: '', err: 'ann@example.com is not suppressed.\n' });

  expect(await site.json('suppressions remove bob@example.com')).toEqual({
    email: 'bob@example.com',
  });
  expect(await site.output('suppressions list')).toBe('No address is suppressed.\n');
});
