import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { migrate } from '@app/db/migrate';
import { close, open } from '@app/db/open';
import { beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../log.ts';
import { makeDataDir } from '../../testing/blog.ts';
import { prepareDataFolder } from './startup.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const log = createLog('silent');

let dataDir: string;

beforeEach(() => {
  dataDir = makeDataDir();
});

const start = (...options: '--new'[]): void =>
  prepareDataFolder(dataDir, { startNew: options.length > 0, now, log });

function write(path: string, text: string): void {
  mkdirSync(join(dataDir, dirname(path)), { recursive: true });
  writeFileSync(join(dataDir, path), text);
}

function files(folder = ''): Record<string, string> {
  return Object.fromEntries(
    readdirSync(join(dataDir, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return Object.entries(files(path));
      const file = join(dataDir, path);
      return [[path, entry.isSymbolicLink() ? readlinkSync(file) : readFileSync(file, 'utf8')]];
    }),
  );
}

function makeDatabase(sql = ''): void {
  const db = open(join(dataDir, 'site.db'));
  migrate(db);
  db.$client.exec(sql);
  close(db);
}

const insertUser = "INSERT INTO users (id, email, created_at) VALUES ('u', 'ann@example.com', 1)";

/** A site without a database. */
function makeSite(): void {
  write('uploads/avatars/u/avatar-1.webp', 'a picture');
  write('trash/2026-02-28/avatars/u/avatar-0.webp', 'an old picture');
  write('mail/1.eml', 'an email');
  write('releases/abc/blog/post.html', 'a post');
  write('releases/abc.json', '{}');
  symlinkSync('releases/abc', join(dataDir, 'site'));
}

describe('without a database', () => {
  const refusal =
    /^DATA_DIR contains a site but no database: restore site\.db, or start with --new/;

  test.each([
    ['avatars', () => write('uploads/avatars/u/avatar-1.webp', 'a picture')],
    ['avatars in the trash', () => write('trash/2026-02-28/avatars/u/avatar-1.webp', 'a picture')],
    ['emails', () => write('mail/1.eml', 'an email')],
    ['pages', () => write('releases/abc/blog/post.html', 'a post')],
    ['a link to missing pages', () => symlinkSync('releases/x', join(dataDir, 'site'))],
    [
      'a write-ahead log, which opening the database would delete',
      () => write('site.db-wal', 'commits'),
    ],
  ])('refuses to start with %s', (_what, make) => {
    make();
    const before = files();
    expect(() => start()).toThrow(refusal);
    expect(files()).toEqual(before);
  });

  test('starts in a folder that an aborted start left behind', () => {
    mkdirSync(join(dataDir, 'uploads/avatars'), { recursive: true });
    write('server.lock', '');
    write('uploads/lost+found/#12', 'what a check of the volume found');
    write('notes.txt', 'the owner’s');
    const before = files();
    start();
    expect(files()).toEqual(before);
  });

  test('moves only the site aside with --new', () => {
    makeSite();
    write('notes.txt', 'the owner’s');
    const { 'notes.txt': notes, ...site } = files();
    start('--new');
    const aside = 'previous-2026-03-01T12-00-00.000Z';
    expect(files()).toEqual({
      'notes.txt': notes,
      ...Object.fromEntries(Object.entries(site).map(([path, text]) => [join(aside, path), text])),
    });
    // The folder is a complete DATA_DIR: its link still works.
    expect(readFileSync(join(dataDir, aside, 'site/blog/post.html'), 'utf8')).toBe('a post');
    start();
    makeDatabase();
    start();
  });

  test('changes nothing in an empty folder with --new', () => {
    start('--new');
    expect(files()).toEqual({});
  });
});

describe('an empty database', () => {
  const refusal =
    /^DATA_DIR contains (?:a site|people's files) but its database is empty: restore site\.db, or start with --new/;

  test.each([
    ['zero bytes', () => write('site.db', '')],
    ['no tables', () => close(open(join(dataDir, 'site.db')))],
    ['tables without rows', makeDatabase],
  ])('is refused next to a site (%s)', (_what, make) => {
    make();
    start();
    makeSite();
    const before = files();
    expect(() => start()).toThrow(refusal);
    expect(files()).toEqual(before);
    start('--new');
    expect(existsSync(join(dataDir, 'site.db'))).toBe(false);
    expect(files()).toMatchObject({
      'previous-2026-03-01T12-00-00.000Z/uploads/avatars/u/avatar-1.webp': 'a picture',
    });
  });

  test('is accepted if only samples are published', () => {
    makeDatabase();
    write('releases/abc/blog/post.html', 'a sample');
    expect(() => start()).not.toThrow();
  });
});

test('starts with a used database, and refuses --new', () => {
  makeSite();
  makeDatabase(insertUser);
  start();
  const before = files();
  expect(() => start('--new')).toThrow(/^--new begins with an empty database, but .* is in use\./);
  expect(files()).toEqual(before);
});

test('refuses --new with a newer database', () => {
  makeDatabase(
    "INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('later', 4102444800000)",
  );
  expect(() => start('--new')).toThrow(/is in use\. Start without --new/);
});

test.each([[[]], [['--new']]] as const)('refuses another program’s database with %j', (options) => {
  const db = open(join(dataDir, 'site.db'));
  db.$client.exec('CREATE TABLE songs (title TEXT)');
  db.$client.pragma('journal_mode = DELETE');
  close(db);
  const before = files();
  expect(() => start(...options)).toThrow(
    /site\.db belongs to another program \(its tables: songs\)\. Set DATA_DIR/,
  );
  expect(files()).toEqual(before);
});

test('refuses a damaged database, and moves it aside only with --new', () => {
  makeSite();
  write('site.db', 'not a database'.repeat(99));
  expect(() => start()).toThrow(
    /^The database file is damaged or not a database \(file is not a database\): restore site\.db, or start/,
  );
  start('--new');
  expect(files()).toMatchObject({
    'previous-2026-03-01T12-00-00.000Z/site.db': 'not a database'.repeat(99),
  });
});

test('refuses a database with a damaged schema, with a message of one line', () => {
  makeDatabase();
  const file = join(dataDir, 'site.db');
  const bytes = readFileSync(file);
  const table = bytes.indexOf('CREATE TABLE `rate_limits` (');
  expect(table).toBeGreaterThan(0);
  bytes.write("'", bytes.indexOf('(', table));
  writeFileSync(file, bytes);
  expect(() => start()).toThrow(
    /^The database file is damaged or not a database \(malformed .*\): restore .*$/,
  );
});
