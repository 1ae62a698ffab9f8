import { careerInquiries } from '@app/db/schema/forms/careers';
import { contactSubmissions } from '@app/db/schema/forms/contact';
import { newsletterSubscriptions } from '@app/db/schema/forms/newsletter';
import { beforeEach, describe, expect, test } from 'vitest';
import { features } from '../../features.ts';
import { siteForEachTest } from '../../testing/cli.ts';
import { unusualAddresses } from '../../testing/test-email.ts';

const site = siteForEachTest();

const columnsOf = (form: string): string[] =>
  features
    .flatMap(({ submissions }) => (submissions?.form === form ? submissions.columns : []))
    .map(({ name }) => name);

describe('submissions', () => {
  const day = (text: string): number => Date.parse(`${text}T12:00:00Z`);

  beforeEach(async () => {
    await site.db.insert(contactSubmissions).values([
      {
        id: 'contact-1',
        name: 'Vera Visitor',
        email: 'vera@example.com',
        phone: '+1 555 0100',
        company: '',
        service: 'betty',
        message: 'Our phone rings\nday and night, "really".',
        createdAt: day('2026-02-01'),
      },
      {
        id: 'contact-2',
        name: '=HYPERLINK("https://evil.example","Größe 水")',
        email: 'spam@example.com',
        phone: '',
        company: '@SUM(A1)',
        service: 'general',
        message: '\u001b[31mBuy now',
        spamSignals: ['many links', 'too fast'],
        createdAt: day('2026-02-03'),
      },
    ]);
    await site.db.insert(careerInquiries).values({
      id: 'careers-1',
      name: 'Cleo Coder',
      email: 'cleo@example.com',
      resumeLink: null,
      message: 'I build things.',
      createdAt: day('2026-02-02'),
    });
    await site.db.insert(newsletterSubscriptions).values({
      id: 'newsletter-1',
      email: 'nora@example.com',
      state: 'confirmed',
      confirmedAt: day('2026-02-05'),
      unsubscribeToken: 'secret',
      createdAt: day('2026-02-04'),
    });
  });

  test('are listed newest first, with quarantined ones marked', async () => {
    expect(await site.output('submissions list')).toBe(
      [
        'SENT (UTC)        FORM        NAME                              EMAIL',
        '2026-02-04 12:00  newsletter                                    nora@example.com',
        '    confirmed',
        '2026-02-03 12:00  contact     =HYPERLINK("https://evil.exampl…  spam@example.com',
        '    [quarantine] Buy now',
        '2026-02-02 12:00  careers     Cleo Coder                        cleo@example.com',
        '    I build things.',
        '2026-02-01 12:00  contact     Vera Visitor                      vera@example.com',
        '    Our phone rings day and night, "really".',
        '',
      ].join('\n'),
    );
  });

  test.each([
    ['submissions list careers', ['Cleo']],
    ['submissions list contact --since 2026-02-02', ['HYPERLINK']],
    ['submissions list --since 2026-02-04', ['nora']],
    ['submissions list --limit 2', ['nora', 'HYPERLINK', '2 older ones are not shown']],
  ])('%s filters them', async (line, expected) => {
    const out = await site.output(line);
    for (const text of expected) expect(out).toContain(text);
    expect(out).not.toContain('Vera');
  });

  test('are reported as none if none match', async () => {
    expect(await site.output('submissions list --since 2026-02-06')).toBe(
      'There are no submissions.\n',
    );
  });

  test('are exported as CSV without formulas', async () => {
    const [header, vera, spam, ...end] = (await site.output('submissions export contact')).split(
      '\r\n',
    );
    expect(header).toBe(`\uFEFF${columnsOf('contact').join(',')}`);
    expect(vera).toMatch(
      /^contact-1,2026-02-01T12:00:00.000Z,Vera Visitor,vera@example.com,'\+1 555 0100,,.*betty,"Our phone rings\nday and night, ""really"".",$/,
    );
    expect(spam).toMatch(
      /^contact-2,2026-02-03T12:00:00.000Z,"'=HYPERLINK\(""https:\/\/evil.example"",""Größe 水""\)",spam@example.com,,'@SUM\(A1\),.*general,\[31mBuy now,many links; too fast$/,
    );
    expect(end).toEqual(['']);
  });

  test.each(unusualAddresses)('are exported as CSV with %s', async (email) => {
    await site.db.update(contactSubmissions).set({ email });
    const out = await site.output('submissions export contact');
    // Spreadsheets hide the leading '.
    const value = email.startsWith('=') ? `'${email}` : email;
    expect(out).toContain(`,Vera Visitor,${value},`);
  });

  test('are exported from all forms without secrets', async () => {
    const out = await site.output('submissions export');
    const ofAll = ['contact', 'careers', 'newsletter'].flatMap(columnsOf);
    expect(out.split('\r\n')[0]).toBe(`\uFEFF${['form', ...new Set(ofAll)].join(',')}`);
    expect(out.match(/\r\n(?:contact|careers|newsletter),/g)).toEqual([
      '\r\ncontact,',
      '\r\ncareers,',
      '\r\ncontact,',
      '\r\nnewsletter,',
    ]);
    expect(out).not.toContain('secret');
  });

  test('are exported as JSON, without formulas being escaped', async () => {
    const { submissions } = (await site.json('submissions export')) as {
      submissions: Record<string, unknown>[];
    };
    expect(submissions.map(({ form, id }) => `${form} ${id}`)).toEqual([
      'contact contact-1',
      'careers careers-1',
      'contact contact-2',
      'newsletter newsletter-1',
    ]);
    expect(submissions[0]).toMatchObject({ phone: '+1 555 0100' });
    expect(submissions[1]).toEqual({
      form: 'careers',
      id: 'careers-1',
      created_at: '2026-02-02T12:00:00.000Z',
      name: 'Cleo Coder',
      email: 'cleo@example.com',
      resume_link: null,
      message: 'I build things.',
      spam_signals: null,
    });
    expect(JSON.stringify(submissions)).not.toContain('secret');
  });

  test('are listed as JSON with their total number', async () => {
    expect(await site.json('submissions list --limit 1')).toEqual({
      submissions: [
        {
          form: 'newsletter',
          id: 'newsletter-1',
          created_at: '2026-02-04T12:00:00.000Z',
          email: 'nora@example.com',
          state: 'confirmed',
          confirmed_at: '2026-02-05T12:00:00.000Z',
          unsubscribed_at: null,
        },
      ],
      total: 4,
    });
  });

  test('are exported as an empty table', async () => {
    expect(await site.output('submissions export newsletter --since 2030-01-01')).toBe(
      '\uFEFFid,created_at,email,state,confirmed_at,unsubscribed_at\r\n',
    );
    expect(await site.json('submissions export --since 2030-01-01')).toEqual({ submissions: [] });
  });
});
