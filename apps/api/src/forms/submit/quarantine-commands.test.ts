import { outbox } from '@app/db/schema/email';
import { careerInquiries } from '@app/db/schema/forms/careers';
import { contactSubmissions } from '@app/db/schema/forms/contact';
import { company } from '@app/site/company';
import { beforeEach, describe, expect, test } from 'vitest';
import { siteForEachTest } from '../../testing/cli.ts';

const site = siteForEachTest();

describe('quarantined submissions', () => {
  const ids = {
    message: '00000001-0000-4000-8000-00000000aaaa',
    inquiry: '00000002-0000-4000-8000-00001111aaaa',
    delivered: '00000003-0000-4000-8000-00000000bbbb',
  };

  beforeEach(async () => {
    const sent = { name: 'Vera Visitor', email: 'vera@example.com', createdAt: site.clock.now() };
    const message = { ...sent, phone: '', company: '', service: 'general', message: 'Our phone.' };
    await site.db.insert(contactSubmissions).values([
      { ...message, id: ids.message, spamSignals: ['too fast', 'many links'] },
      { ...message, id: ids.delivered },
    ]);
    await site.db.insert(careerInquiries).values({
      ...sent,
      id: ids.inquiry,
      message: 'I build things.',
      spamSignals: ['too fast'],
      createdAt: site.clock.now() + 60_000,
    });
  });

  const emails = async () =>
    (await site.db.select().from(outbox)).map(({ kind, to }) => `${kind} ${to}`).sort();

  test('are listed with their spam signals', async () => {
    expect(await site.output('quarantine list')).toBe(
      [
        'ID        SENT (UTC)        FORM     NAME          EMAIL',
        '0000aaaa  2026-03-01 12:00  contact  Vera Visitor  vera@example.com',
        '    [too fast; many links] Our phone.',
        '1111aaaa  2026-03-01 12:01  careers  Vera Visitor  vera@example.com',
        '    [too fast] I build things.',
        '',
      ].join('\n'),
    );
  });

  test('are listed as JSON with whole ids', async () => {
    expect(await site.json('quarantine list')).toMatchObject({
      submissions: [
        {
          id: ids.message,
          form: 'contact',
          createdAt: '2026-03-01T12:00:00.000Z',
          reasons: ['too fast', 'many links'],
        },
        { id: ids.inquiry, form: 'careers' },
      ],
    });
    expect(await site.json('quarantine release 0aaaa')).toEqual({ id: ids.message });
    expect(await emails()).toHaveLength(2);
  });

  test('are delivered once with their emails when released', async () => {
    expect(await site.output('quarantine release 0aaaa')).toMatch(
      /^The submission is delivered. Its emails will be sent/,
    );
    const promised = [
      `contact-notice ${company.mailboxes.hello}`,
      'contact-receipt vera@example.com',
    ];
    expect(await emails()).toEqual(promised);
    expect(await site.output('quarantine list')).not.toContain('0000aaaa');

    const { exitCode, err } = await site.run(`quarantine release ${ids.message}`);
    expect({ exitCode, err }).toEqual({
      exitCode: 1,
      err: `Submission ${ids.message} has already been delivered.\n`,
    });
    expect(await emails()).toEqual(promised);
  });

  test('send their notice to MAIL_TO', async () => {
    const { exitCode } = await site.run('quarantine release 1aaaa', {
      ...site.environment,
      MAIL_TO: 'jobs@example.com',
    });
    expect(exitCode).toBe(0);
    expect(await emails()).toEqual(['career-notice jobs@example.com']);
  });

  test.each([
    ['aaaa', 'Several submissions have an id that ends with aaaa'],
    ['cccc', 'No quarantined submission has an id that ends with cccc.'],
    ['bbbb', 'No quarantined submission has an id that ends with bbbb.'],
    [ids.delivered, `Submission ${ids.delivered} has already been delivered.`],
  ])('are not released by the id %s', async (id, reason) => {
    const { exitCode, out, err } = await site.run(`quarantine release ${id}`);
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    expect(err).toContain(reason);
    expect(await emails()).toEqual([]);
  });

  test('are reported as none if the quarantine is empty', async () => {
    await site.db.delete(contactSubmissions);
    await site.db.delete(careerInquiries);
    expect(await site.output('quarantine list')).toBe('The quarantine is empty.\n');
  });
});
