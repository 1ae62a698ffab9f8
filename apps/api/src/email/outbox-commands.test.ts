import { outbox } from '@app/db/schema/email';
import { asc, eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { siteForEachTest } from '../testing/cli.ts';
import { makeOutboxEmail } from '../testing/test-email.ts';

const site = siteForEachTest();

describe('emails', () => {
  const ids = {
    queued: '00000001-0000-4000-8000-00000000aaaa',
    sent: '00000002-0000-4000-8000-00000000bbbb',
    dead: '00000003-0000-4000-8000-00000000cccc',
    alsoDead: '00000004-0000-4000-8000-00001111cccc',
  };

  beforeEach(async () => {
    const now = site.clock.now();
    await site.db.insert(outbox).values([
      makeOutboxEmail({
        id: ids.queued,
        attempts: 3,
        nextAttemptAt: now + 60_000,
        lastError: '503: down',
      }),
      makeOutboxEmail({ id: ids.sent, state: 'sent', sentAt: now }),
      makeOutboxEmail({
        id: ids.dead,
        state: 'dead',
        attempts: 20,
        lastError: '422: no such domain',
      }),
      makeOutboxEmail({ id: ids.alsoDead, state: 'dead', lastError: 'suppressed: bounce' }),
    ]);
  });

  const rows = () =>
    site.db
      .select({ state: outbox.state, attempts: outbox.attempts, next: outbox.nextAttemptAt })
      .from(outbox)
      .orderBy(asc(outbox.id));

  test('are listed with the reason for failures', async () => {
    expect(await site.output('outbox list --state dead')).toBe(
      [
        'ID        STATE  TRIES  CREATED (UTC)     KIND            TO',
        '0000cccc  dead   20     2026-03-01 12:00  contact-notice  owner@example.com',
        '    422: no such domain',
        '1111cccc  dead   1      2026-03-01 12:00  contact-notice  owner@example.com',
        '    suppressed: bounce',
        '',
      ].join('\n'),
    );
    const out = await site.output('outbox list');
    expect(out).toContain('    next try 2026-03-01 12:01: 503: down\n');
    expect(out.match(/^\d{4}[a-c]{4}/gm)).toHaveLength(4);
    expect(await site.output('outbox list --limit 1')).toContain('3 older ones are not shown');
  });

  test('are reported as none', async () => {
    await site.db.delete(outbox).where(eq(outbox.state, 'dead'));
    expect(await site.output('outbox list --state dead')).toBe('No email is dead.\n');
    await site.db.delete(outbox);
    expect(await site.output('outbox list')).toBe('There are no emails.\n');
  });

  test('are listed as JSON', async () => {
    expect(await site.json('outbox list --state queued')).toEqual({
      emails: [
        {
          id: ids.queued,
          kind: 'contact-notice',
          to: 'owner@example.com',
          state: 'queued',
          attempts: 3,
          createdAt: '2026-03-01T12:00:00.000Z',
          nextAttemptAt: '2026-03-01T12:01:00.000Z',
          sentAt: null,
          lastError: '503: down',
        },
      ],
      total: 1,
    });
    expect(await site.json('outbox list --state sent')).toMatchObject({
      emails: [{ nextAttemptAt: null, sentAt: '2026-03-01T12:00:00.000Z' }],
    });
    expect(await site.json('outbox resend --dead')).toEqual({ queued: 2 });
  });

  test.each([
    ['the end of its id', '0CCCC', 'dead'],
    ['its whole id', ids.dead, 'dead'],
  ])('one is sent again by %s', async (_what, id) => {
    const before = await rows();
    expect(await site.output(`outbox resend ${id}`)).toMatch(
      /^1 email will be sent within a minute/,
    );
    const after = await rows();
    expect(after[2]).toEqual({ state: 'queued', attempts: 0, next: site.clock.now() });
    expect(after.toSpliced(2, 1)).toEqual(before.toSpliced(2, 1));
  });

  test('a queued email is sent now', async () => {
    await site.output('outbox resend aaaa');
    expect((await rows())[0]).toEqual({ state: 'queued', attempts: 0, next: site.clock.now() });
  });

  test('--dead resends all failed emails only', async () => {
    expect(await site.output('outbox resend --dead')).toMatch(
      /^2 emails will be sent within a minute/,
    );
    expect((await rows()).map(({ state, attempts }) => `${state} ${attempts}`)).toEqual([
      'queued 3',
      'sent 1',
      'queued 0',
      'queued 0',
    ]);
    expect(await site.output('outbox resend --dead')).toBe('No email is dead.\n');
  });

  test('--queued sends all queued emails only', async () => {
    expect(await site.output('outbox resend --queued')).toMatch(
      /^1 email will be sent within a minute/,
    );
    expect((await rows()).map(({ state }) => state)).toEqual(['queued', 'sent', 'dead', 'dead']);
    expect((await rows())[0]?.next).toBe(site.clock.now());
  });

  test.each([
    ['that was sent', 'bbbb', 'Email bbbb was sent on 2026-03-01 12:00 UTC.'],
    ['that does not exist', 'dddd', 'No email has an id that ends with dddd.'],
    ['whose id is ambiguous', 'cccc', 'Several emails have an id that ends with cccc'],
  ])('does not send an email %s', async (_what, id, reason) => {
    const before = await rows();
    const { exitCode, out, err } = await site.run(`outbox resend ${id}`);
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    expect(err).toContain(reason);
    expect(await rows()).toEqual(before);
  });
});
