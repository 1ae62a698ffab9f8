import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@app/db/migrate';
import { close, type Database, open } from '@app/db/open';
import { outbox } from '@app/db/schema/email';
import { careerInquiries } from '@app/db/schema/forms/careers';
import { contactSubmissions } from '@app/db/schema/forms/contact';
import { newsletterSubscriptions } from '@app/db/schema/forms/newsletter';
import { asc } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { cliOutput, runCli } from '../testing/cli.ts';
import { MovingClock } from '../testing/test-app.ts';
import { makeOutboxEmail } from '../testing/test-email.ts';

let dataDir: string;
let clock: MovingClock;
/** Open during the commands, as a server's is. */
let db: Database;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'cli-'));
  clock = new MovingClock();
  db = open(join(dataDir, 'site.db'));
  migrate(db);
  return () => {
    close(db);
    rmSync(dataDir, { recursive: true });
  };
});

const wordsOf = (line: string): string[] => line.split(' ').filter(Boolean);

const cli = (line: string, environment?: Record<string, string>) =>
  runCli({ dataDir, clock, environment }, ...wordsOf(line));

const done = (line: string) => cliOutput({ dataDir, clock }, ...wordsOf(line));

describe('submissions', () => {
  const day = (text: string): number => Date.parse(`${text}T12:00:00Z`);

  beforeEach(async () => {
    await db.insert(contactSubmissions).values([
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
    await db.insert(careerInquiries).values({
      id: 'careers-1',
      name: 'Cleo Coder',
      email: 'cleo@example.com',
      resumeLink: null,
      message: 'I build things.',
      createdAt: day('2026-02-02'),
    });
    await db.insert(newsletterSubscriptions).values({
      id: 'newsletter-1',
      email: 'nora@example.com',
      state: 'confirmed',
      confirmedAt: day('2026-02-05'),
      unsubscribeToken: 'secret',
      createdAt: day('2026-02-04'),
    });
  });

  test('are listed newest first, with quarantined ones marked', async () => {
    expect(await done('submissions list')).toBe(
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
    const out = await done(line);
    for (const text of expected) expect(out).toContain(text);
    expect(out).not.toContain('Vera');
  });

  test('are empty on days without any', async () => {
    expect(await done('submissions list --since 2026-02-06')).toBe('There are no submissions.\n');
  });

  test('are exported as CSV without formulas', async () => {
    expect(await done('submissions export contact')).toBe(
      [
        '\uFEFFid,created_at,name,email,phone,company,service,message,spam_signals',
        `contact-1,2026-02-01T12:00:00.000Z,Vera Visitor,vera@example.com,'+1 555 0100,,betty,"Our phone rings\nday and night, ""really"".",`,
        `contact-2,2026-02-03T12:00:00.000Z,"'=HYPERLINK(""https://evil.example"",""Größe 水"")",spam@example.com,,'@SUM(A1),general,[31mBuy now,many links; too fast`,
        '',
      ].join('\r\n'),
    );
  });

  test('are exported from all forms without secrets', async () => {
    const out = await done('submissions export');
    expect(out.split('\r\n')[0]).toBe(
      '\uFEFFform,id,created_at,name,email,phone,company,service,message,spam_signals,resume_link,state,confirmed_at,unsubscribed_at',
    );
    expect(out.match(/\r\n(?:contact|careers|newsletter),/g)).toEqual([
      '\r\ncontact,',
      '\r\ncareers,',
      '\r\ncontact,',
      '\r\nnewsletter,',
    ]);
    expect(out).not.toContain('secret');
  });

  test('are exported as JSON', async () => {
    expect(JSON.parse(await done('submissions export careers --format json'))).toEqual([
      {
        id: 'careers-1',
        created_at: '2026-02-02T12:00:00.000Z',
        name: 'Cleo Coder',
        email: 'cleo@example.com',
        resume_link: null,
        message: 'I build things.',
        spam_signals: null,
      },
    ]);
    const [first] = JSON.parse(await done('submissions export contact --format json'));
    expect(first).toMatchObject({ phone: '+1 555 0100' });
  });

  test('are exported as an empty table', async () => {
    expect(await done('submissions export newsletter --since 2030-01-01')).toBe(
      '\uFEFFid,created_at,email,state,confirmed_at,unsubscribed_at\r\n',
    );
    expect(await done('submissions export --since 2030-01-01 --format json')).toBe('[]\n');
  });
});

describe('emails', () => {
  const ids = {
    queued: '00000001-0000-4000-8000-00000000aaaa',
    sent: '00000002-0000-4000-8000-00000000bbbb',
    dead: '00000003-0000-4000-8000-00000000cccc',
    alsoDead: '00000004-0000-4000-8000-00001111cccc',
  };

  beforeEach(async () => {
    const now = clock.now();
    await db.insert(outbox).values([
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
    db
      .select({ state: outbox.state, attempts: outbox.attempts, next: outbox.nextAttemptAt })
      .from(outbox)
      .orderBy(asc(outbox.id));

  test('are listed with the reason for failures', async () => {
    expect(await done('outbox list --state dead')).toBe(
      [
        'ID        STATE  TRIES  CREATED (UTC)     KIND            TO',
        '0000cccc  dead   20     2026-03-01 12:00  contact-notice  owner@example.com',
        '    422: no such domain',
        '1111cccc  dead   1      2026-03-01 12:00  contact-notice  owner@example.com',
        '    suppressed: bounce',
        '',
      ].join('\n'),
    );
    const out = await done('outbox list');
    expect(out).toContain('    next try 2026-03-01 12:01: 503: down\n');
    expect(out.match(/^\d{4}[a-c]{4}/gm)).toHaveLength(4);
    expect(await done('outbox list --limit 1')).toContain('3 older ones are not shown');
  });

  test.each([
    ['an email by the end of its id', '0CCCC', 'dead'],
    ['an email by its whole id', ids.dead, 'dead'],
  ])('%s is sent again', async (_what, id) => {
    const before = await rows();
    expect(await done(`outbox resend ${id}`)).toMatch(/^1 email will be sent within a minute/);
    const after = await rows();
    expect(after[2]).toEqual({ state: 'queued', attempts: 0, next: clock.now() });
    expect(after.toSpliced(2, 1)).toEqual(before.toSpliced(2, 1));
  });

  test('a queued email is sent now', async () => {
    await done('outbox resend aaaa');
    expect((await rows())[0]).toEqual({ state: 'queued', attempts: 0, next: clock.now() });
  });

  test('--dead resends all failed emails only', async () => {
    expect(await done('outbox resend --dead')).toMatch(/^2 emails will be sent within a minute/);
    expect((await rows()).map(({ state, attempts }) => `${state} ${attempts}`)).toEqual([
      'queued 3',
      'sent 1',
      'queued 0',
      'queued 0',
    ]);
    expect(await done('outbox resend --dead')).toBe('No email is dead.\n');
  });

  test('--queued sends all queued emails only', async () => {
    expect(await done('outbox resend --queued')).toMatch(/^1 email will be sent within a minute/);
    expect((await rows()).map(({ state }) => state)).toEqual(['queued', 'sent', 'dead', 'dead']);
    expect((await rows())[0]?.next).toBe(clock.now());
  });

  test.each([
    ['that was sent', 'bbbb', 'Email bbbb was sent on 2026-03-01 12:00 UTC.'],
    ['that is not there', 'dddd', 'No email has an id that ends with dddd.'],
    ['that could be another', 'cccc', 'Several emails have an id that ends with cccc'],
  ])('does not send an email %s', async (_what, id, reason) => {
    const before = await rows();
    const { exitCode, out, err } = await cli(`outbox resend ${id}`);
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    expect(err).toContain(reason);
    expect(await rows()).toEqual(before);
  });
});

describe('quarantined submissions', () => {
  const ids = {
    message: '00000001-0000-4000-8000-00000000aaaa',
    inquiry: '00000002-0000-4000-8000-00001111aaaa',
    delivered: '00000003-0000-4000-8000-00000000bbbb',
  };

  beforeEach(async () => {
    const sent = { name: 'Vera Visitor', email: 'vera@example.com', createdAt: clock.now() };
    const message = { ...sent, phone: '', company: '', service: 'general', message: 'Our phone.' };
    await db.insert(contactSubmissions).values([
      { ...message, id: ids.message, spamSignals: ['too fast', 'many links'] },
      { ...message, id: ids.delivered },
    ]);
    await db.insert(careerInquiries).values({
      ...sent,
      id: ids.inquiry,
      message: 'I build things.',
      spamSignals: ['too fast'],
      createdAt: clock.now() + 60_000,
    });
  });

  const emails = async () =>
    (await db.select().from(outbox)).map(({ kind, to }) => `${kind} ${to}`).sort();

  test('are listed with their spam signals', async () => {
    expect(await done('quarantine list')).toBe(
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

  test('are delivered once with their emails when released', async () => {
    expect(await done('quarantine release 0aaaa')).toMatch(
      /^The submission is delivered. Its emails will be sent/,
    );
    const promised = [
      'contact-notice hello@fieldlight.example',
      'contact-receipt vera@example.com',
    ];
    expect(await emails()).toEqual(promised);
    expect(await done('quarantine list')).not.toContain('0000aaaa');

    const { exitCode, err } = await cli(`quarantine release ${ids.message}`);
    expect({ exitCode, err }).toEqual({
      exitCode: 1,
      err: `Submission ${ids.message} has already been delivered.\n`,
    });
    expect(await emails()).toEqual(promised);
  });

  test('send their notice to MAIL_TO', async () => {
    const { exitCode } = await cli('quarantine release 1aaaa', {
      DATA_DIR: dataDir,
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
  ])('are not released as %s', async (id, reason) => {
    const { exitCode, out, err } = await cli(`quarantine release ${id}`);
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    expect(err).toContain(reason);
    expect(await emails()).toEqual([]);
  });

  test('are none in an empty quarantine', async () => {
    await db.delete(contactSubmissions);
    await db.delete(careerInquiries);
    expect(await done('quarantine list')).toBe('The quarantine is empty.\n');
  });
});

describe('help', () => {
  test.each(['help', '--help', '-h', 'outbox --help', 'outbox resend --help'])(
    'prints help for %s',
    async (line) => {
      expect(await done(line)).toContain('  outbox resend <id> | --dead | --queued\n');
    },
  );

  test('fits a terminal of 80 columns', async () => {
    for (const line of (await done('help')).split('\n')) expect(line.length).toBeLessThan(81);
  });
});

test.each([
  ['', 'Specify a command.'],
  ['outbox', 'There is no command "outbox".'],
  ['outbox lst', 'There is no command "outbox lst".'],
  ['submissions list blog', '"blog" is not a valid form: use contact, careers, newsletter.'],
  ['submissions list contact careers', 'Unexpected argument "careers".'],
  ['submissions list --since yesterday', '--since yesterday: expected a day'],
  ['submissions list --since 2026-02-31', '--since 2026-02-31: expected a day'],
  ['submissions list --limit 0', '--limit 0: expected a number'],
  ['submissions export --format xml', '"xml" is not a valid format: use csv, json.'],
  ['submissions export --format', "Option '--format <value>' argument missing"],
  ['outbox list dead', 'Unexpected argument "dead".'],
  ['outbox list --state lost', '"lost" is not a valid state: use queued, sent, dead.'],
  ['outbox list --all', "Unknown option '--all'"],
  ['quarantine list aaaa', 'Unexpected argument "aaaa".'],
  ['quarantine release', 'Specify an id'],
  ['quarantine release aaaa bbbb', 'Unexpected argument "bbbb".'],
  ['outbox resend', 'Specify an email id, --dead or --queued.'],
  ['outbox resend --dead --queued', 'Specify an email id'],
  ['outbox resend aaaa --dead', 'Specify an email id'],
  ['outbox resend %%%%', '"%%%%" is not a valid id'],
  ['staff add', "Specify the account's email address."],
  ['staff add ann', '"ann" is not an email address.'],
  ['staff remove ann@example.com bob@example.com', 'Unexpected argument "bob@example.com".'],
  ['staff list ann@example.com', 'Unexpected argument "ann@example.com".'],
])('rejects "%s" with usage', async (line, reason) => {
  const { exitCode, out, err } = await cli(line);
  expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
  expect(err).toContain(reason);
  expect(err).toContain('\n\nUsage: pnpm cli <command>');
});

describe('errors', () => {
  const refused = async (environment: Record<string, string>) => {
    const { exitCode, out, err } = await cli('outbox list', environment);
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    expect(err).not.toContain('    at ');
    return err;
  };

  test('without a database, which is not created', async () => {
    const folder = join(dataDir, 'other');
    expect(await refused({ DATA_DIR: folder })).toContain(`no database in DATA_DIR ${folder}`);
    expect(readdirSync(dataDir)).not.toContain('other');
  });

  test('with another file in its place', async () => {
    const folder = mkdtempSync(join(dataDir, 'other-'));
    writeFileSync(join(folder, 'site.db'), 'not a database, but long enough to look at'.repeat(99));
    expect(await refused({ DATA_DIR: folder })).toContain(
      'cannot be used (file is not a database)',
    );
  });

  test('with a database that is not migrated', async () => {
    const folder = mkdtempSync(join(dataDir, 'other-'));
    close(open(join(folder, 'site.db')));
    expect(await refused({ DATA_DIR: folder })).toContain(`no database in DATA_DIR ${folder}`);
  });

  test("with another program's database, which is not changed", async () => {
    const folder = mkdtempSync(join(dataDir, 'other-'));
    const other = open(join(folder, 'site.db'));
    other.$client.pragma('journal_mode = DELETE');
    other.$client.exec('CREATE TABLE songs (title TEXT)');
    close(other);
    const before = readFileSync(join(folder, 'site.db'));
    expect(await refused({ DATA_DIR: folder })).toContain('site.db belongs to another program');
    expect(readFileSync(join(folder, 'site.db'))).toEqual(before);
  });

  test('with a newer database', async () => {
    db.$client.exec(
      "INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('later', 4102444800000)",
    );
    expect(await refused({ DATA_DIR: dataDir })).toContain('was written by a newer version');
  });

  test('with an invalid configuration', async () => {
    const err = await refused({ DATA_DIR: dataDir, PORT: 'abc' });
    expect(err).toContain('Invalid configuration:\n  PORT must be a whole number');
  });
});
