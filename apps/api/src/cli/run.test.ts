import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { close, open } from '@app/db/open';
import { describe, expect, test } from 'vitest';
import { commands } from '../commands.ts';
import { siteForEachTest } from '../testing/cli.ts';
import { withDatabase } from './database.ts';
import { explain } from './explain.ts';
import { runCommand } from './run.ts';

const site = siteForEachTest();

test.each([
  ['', 'Specify a command.'],
  ['outbox', 'There is no command "outbox".'],
  ['outbox lst', 'There is no command "outbox lst".'],
  ['submissions list blog', '"blog" is not a valid form: use contact, careers, newsletter.'],
  ['submissions list contact careers', 'Unexpected argument "careers".'],
  ['submissions list --since yesterday', '--since yesterday: expected a day'],
  ['submissions list --since 2026-02-31', '--since 2026-02-31: expected a day'],
  ['submissions list --limit 0', '--limit 0: expected a number'],
  ['submissions export --since', "Option '--since <value>' argument missing"],
  ['outbox list dead', 'Unexpected argument "dead".'],
  ['outbox list --state lost', '"lost" is not a valid state: use queued, sent, dead.'],
  ['outbox list --all', 'There is no option --all.'],
  ['outbox list --all=1 -x', 'There is no option --all.'],
  ['quarantine list aaaa', 'Unexpected argument "aaaa".'],
  ['quarantine release', '<id> is missing. An id from `quarantine list`'],
  ['quarantine release aaaa bbbb', 'Unexpected argument "bbbb".'],
  ['outbox resend', 'Specify an email id, --dead or --queued.'],
  ['quarantine release aa', '"aa" is not a valid id: use one from `quarantine list`.'],
  ['outbox resend --dead --queued', 'Specify an email id'],
  ['outbox resend aaaa --dead', 'Specify an email id'],
  ['outbox resend %%%%', '"%%%%" is not a valid id'],
  ['staff add', "<email> is missing. The account's email address."],
  ['staff add ann', '"ann" is not an email address.'],
  ['staff remove ann@example.com bob@example.com', 'Unexpected argument "bob@example.com".'],
  ['staff list ann@example.com', 'Unexpected argument "ann@example.com".'],
])('rejects "%s" and shows the usage', async (line, reason) => {
  const { exitCode, out, err } = await site.run(line);
  expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
  expect(err).toContain(reason);
  expect(err).toContain('\n\nUsage: pnpm cli ');
  const asJson = await site.run(`${line} --json`);
  expect(asJson).toMatchObject({ exitCode: 2, out: '' });
  expect(JSON.parse(asJson.err)).toEqual({
    error: { code: 'usage', message: expect.stringContaining(reason) },
  });
});

test('shows the usage of the command, of its topic, or of all commands', async () => {
  const usageAfter = async (line: string) => (await site.run(line)).err.split('\n\n')[1];
  expect(await usageAfter('outbox list --all')).toBe(
    'Usage: pnpm cli outbox list [--state <state>] [--limit <number>]\nMore: pnpm cli help outbox list\n',
  );
  expect((await site.run('outbox lst')).err).toContain('  outbox resend ');
  expect((await site.run('outbox lst')).err).not.toContain('  staff list');
  expect((await site.run('outbx')).err).toContain('  staff list');
});

describe('fails', () => {
  const refused = async (environment: Record<string, string>) => {
    const { exitCode, out, err } = await site.run('outbox list', environment);
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    expect(err).not.toContain('    at ');
    const asJson = await site.run('--json outbox list', environment);
    expect(asJson).toMatchObject({ exitCode: 1, out: '' });
    const { error } = JSON.parse(asJson.err) as { error: { code: string; message: string } };
    expect(error.message).toBe(err.trimEnd());
    return `${error.code}: ${err}`;
  };

  test('without a database, which is not created', async () => {
    const folder = join(site.dataDir, 'other');
    expect(await refused({ DATA_DIR: folder })).toContain(
      `no_database: There is no database in DATA_DIR ${folder}`,
    );
    expect(readdirSync(site.dataDir)).not.toContain('other');
  });

  test('with a DATA_DIR that is not a folder', async () => {
    const file = join(site.dataDir, 'file');
    writeFileSync(file, '');
    expect(await refused({ DATA_DIR: file })).toBe(
      `invalid_configuration: DATA_DIR ${file} is not a folder: set it to the server's folder.\n`,
    );
  });

  test('with a file that is not a database', async () => {
    const folder = mkdtempSync(join(site.dataDir, 'other-'));
    writeFileSync(join(folder, 'site.db'), 'not a database, but long enough to look at'.repeat(99));
    expect(await refused({ DATA_DIR: folder })).toContain(
      'cannot be used (file is not a database)',
    );
  });

  test('with a database that is not migrated', async () => {
    const folder = mkdtempSync(join(site.dataDir, 'other-'));
    close(open(join(folder, 'site.db')));
    expect(await refused({ DATA_DIR: folder })).toContain(`no database in DATA_DIR ${folder}`);
  });

  test("with another program's database, which is not changed", async () => {
    const folder = mkdtempSync(join(site.dataDir, 'other-'));
    const other = open(join(folder, 'site.db'));
    other.$client.pragma('journal_mode = DELETE');
    other.$client.exec('CREATE TABLE songs (title TEXT)');
    close(other);
    const before = readFileSync(join(folder, 'site.db'));
    expect(await refused({ DATA_DIR: folder })).toMatch(
      /^foreign_database: .*site\.db belongs to another program/,
    );
    expect(readFileSync(join(folder, 'site.db'))).toEqual(before);
  });

  test.each([
    ['database', 'site.db'],
    ['folder', '.'],
  ])('with a %s that the system refuses to read', async (_what, name) => {
    const folder = join(site.dataDir, 'loop');
    if (name === '.') symlinkSync('loop', folder);
    else {
      mkdirSync(folder);
      symlinkSync(name, join(folder, name));
    }
    expect(await refused({ DATA_DIR: folder })).toMatch(/^file_system: ELOOP: .*\.\n$/);
  });

  test('with a newer database', async () => {
    site.db.$client.exec(
      "INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('later', 4102444800000)",
    );
    expect(await refused(site.environment)).toMatch(
      /^newer_database: .* was written by a newer version/,
    );
  });

  test('with an invalid configuration', async () => {
    const err = await refused({ DATA_DIR: site.dataDir, PORT: 'abc' });
    expect(err).toContain(
      'invalid_configuration: Invalid configuration:\n  PORT must be a whole number',
    );
  });
});

describe('a full disk', () => {
  const full = () => Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  const says = 'The disk is full (database or disk is full). Free some space.';

  test('is reported if the command itself does not explain it', () => {
    expect(explain(full())).toMatchObject({ code: 'disk_full', message: says });
  });

  test('is reported even if drizzle wraps the error', async () => {
    const settings = { dataDir: site.dataDir, databaseServer: undefined };
    const work = () => Promise.reject(new Error('Failed query: values', { cause: full() }));
    await expect(withDatabase(settings, site.clock, work)).rejects.toMatchObject({
      code: 'disk_full',
      message: says,
    });
  });
});

test('makes files that commands write private, unless the command has public files', async () => {
  const privateFor = async (line: string): Promise<boolean> => {
    let isPrivate = false;
    await runCommand({
      commands,
      args: line.split(' '),
      clock: site.clock,
      environment: site.environment,
      out: () => undefined,
      err: () => undefined,
      restrictNewFiles: () => {
        isPrivate = true;
      },
    });
    return isPrivate;
  };
  expect(await privateFor('outbox list')).toBe(true);
  expect(await privateFor('verify none')).toBe(true);
  expect(await privateFor(`site export ${join(site.dataDir, 'site')}`)).toBe(false);
});
