import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hour } from '@app/contract/durations';
import { close, type Database, open } from '@app/db/open';
import { outbox } from '@app/db/schema/email';
import { publishLog } from '@app/db/schema/publishing';
import { openTestFile } from '@app/db/testing/test-database';
import { beforeEach, describe, expect, test } from 'vitest';
import { MovingClock } from '../testing/test-app.ts';
import { makeOutboxEmail } from '../testing/test-email.ts';
import type { Check } from './check.ts';
import { dataFolder } from './checks/data-folder.ts';
import { database } from './checks/database.ts';
import { disk, findingsOf } from './checks/disk.ts';
import { lastBackup } from './checks/last-backup.ts';
import { emailQueue, publishing } from './checks/queues.ts';
import { foldersOf } from './folders.ts';
import { createNetwork } from './network.ts';
import { runChecks } from './run-checks.ts';

const clock = new MovingClock();
let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'doctor-'));
  return () => rmSync(dataDir, { recursive: true });
});

async function check(one: Check, folder = dataDir): Promise<string[]> {
  const context = { ...foldersOf({ DATA_DIR: folder }), clock, network: createNetwork() };
  const found = await runChecks([one], context, null);
  for (const { state, fix } of found) {
    expect(fix === null).toBe(state === 'ok' || state === 'skipped');
  }
  return found.map(({ state, finding }) => `${state}: ${finding}`);
}

/** Leaves the database open, like a running server. */
function makeDatabase(change: (db: Database) => unknown = () => undefined): Database {
  const db = openTestFile(join(dataDir, 'site.db'));
  change(db);
  return db;
}

function damage(change: (bytes: Buffer) => Buffer, fill?: (db: Database) => unknown): void {
  close(makeDatabase(fill));
  const file = join(dataDir, 'site.db');
  writeFileSync(file, change(readFileSync(file)));
}

describe('data folder', () => {
  test('accepts a private and writable folder', async () => {
    expect(await check(dataFolder)).toEqual([`ok: ${dataDir} is writable and private.`]);
  });

  test('fails if the folder does not exist or is a file', async () => {
    expect(await check(dataFolder, join(dataDir, 'none'))).toEqual([
      expect.stringMatching(/^failure: DATA_DIR .* does not exist\.$/),
    ]);
    writeFileSync(join(dataDir, 'file'), '');
    expect(await check(dataFolder, join(dataDir, 'file'))).toEqual([
      expect.stringMatching(/^failure: DATA_DIR .* is not a folder\.$/),
    ]);
  });

  test('warns if others have access', async () => {
    chmodSync(dataDir, 0o755);
    expect(await check(dataFolder)).toEqual([
      'warning: DATA_DIR has mode 755: it contains email addresses and password hashes.',
    ]);
  });
});

describe('disk', () => {
  const of = (gigabytes: number, share: number, freeFiles = 0.5) =>
    findingsOf({
      ...{ bsize: 4_096, bavail: (gigabytes * 1e9) / 4_096 },
      blocks: (gigabytes * 1e9) / 4_096 / share,
      ...{ files: 1_000_000, ffree: 1_000_000 * freeFiles },
    }).map(({ state, finding }) => `${state}: ${finding}`);

  test.each<[string[], string[]]>([
    [of(20, 0.5), ['ok: 20.0 GB (50 %) of the disk is free.']],
    [of(20, 0.05), ['warning: 20.0 GB (5 %) of the disk is free.']],
    [of(0.9, 0.5), ['warning: 0.9 GB (50 %) of the disk is free.']],
    [of(0.1, 0.5), ['failure: 0.1 GB (50 %) of the disk is free.']],
    [of(20, 0.5, 0.01), ['warning: The disk has room for only 10,000 more files.']],
  ])('reports %j', (found, expected) => {
    expect(found).toEqual(expected);
  });

  test('checks the disk of DATA_DIR', async () => {
    expect(await check(disk)).toEqual([expect.stringMatching(/ GB \(\d+ %\) of the disk is free/)]);
    expect(await check(disk, '/none')).toEqual(['skipped: DATA_DIR does not exist.']);
  });
});

describe('database', () => {
  const unusable = 'skipped: The database cannot be used: see its check.';

  test('accepts an intact database while a server uses it', async () => {
    const db = makeDatabase();
    expect(await check(database)).toEqual([
      expect.stringMatching(/^ok: The database is intact \(\d\.\d MB\)\.$/),
    ]);
    close(db);
  });

  test.each<[string, () => void, RegExp]>([
    ['missing', () => undefined, /^failure: DATA_DIR has no database\.$/],
    [
      'empty',
      () => writeFileSync(join(dataDir, 'site.db'), ''),
      /^failure: DATA_DIR has an empty database\.$/,
    ],
    [
      'not a database',
      () => writeFileSync(join(dataDir, 'site.db'), 'no database'.repeat(999)),
      /^failure: The database file is damaged or not a database/,
    ],
    [
      "another program's",
      () => {
        const db = open(join(dataDir, 'site.db'));
        db.$client.exec('CREATE TABLE songs (title TEXT)');
        close(db);
      },
      /^failure: site\.db belongs to another program\.$/,
    ],
    [
      'newer',
      () =>
        close(
          makeDatabase(({ $client }) =>
            $client.exec(
              "INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('later', 4102444800000)",
            ),
          ),
        ),
      /^failure: A newer version has migrated the database/,
    ],
    [
      'damaged in its second half',
      () => damage((bytes) => bytes.fill(0xff, bytes.length / 2)),
      /^failure: The database file is damaged or not a database \(.*malformed\)\.$/,
    ],
    [
      'damaged in one page',
      () => {
        const props = { text: 'x'.repeat(50_000) };
        const insert = (db: Database) => db.insert(outbox).values(makeOutboxEmail({ props })).run();
        // Overwrites the number of the next page of the text.
        damage((bytes) => {
          const page = bytes.indexOf('x'.repeat(4_090)) - 4;
          return bytes.fill(0xff, page, page + 4);
        }, insert);
      },
      /^failure: The database is damaged \(.*[Pp]age.*\)\.$/s,
    ],
  ])('fails if the database is %s', async (_what, make, expected) => {
    make();
    const [finding, ...others] = await check(database);
    expect(finding).toMatch(expected);
    expect(others).toEqual([]);
  });

  test('warns of missing migrations', async () => {
    const db = makeDatabase(({ $client }) =>
      $client.exec(
        'DELETE FROM __drizzle_migrations WHERE created_at = (SELECT max(created_at) FROM __drizzle_migrations)',
      ),
    );
    expect(await check(database)).toEqual([
      'warning: The database lacks 1 migration of this version.',
    ]);
    close(db);
  });

  test('warns if another program has locked the database', async () => {
    const db = makeDatabase();
    db.$client.pragma('locking_mode = EXCLUSIVE');
    db.$client.exec('BEGIN EXCLUSIVE; COMMIT');
    expect(await check(database)).toEqual([
      'warning: Another program has locked the database, so it was not checked.',
    ]);
    expect(await check(emailQueue)).toEqual([unusable]);
    close(db);
  });

  test('skips the checks of queues without a database', async () => {
    expect(await check(emailQueue)).toEqual([unusable]);
    expect(await check(publishing)).toEqual([unusable]);
  });
});

describe('email queue', () => {
  test('accepts queued emails', async () => {
    const db = makeDatabase((each) =>
      each
        .insert(outbox)
        .values(makeOutboxEmail({ createdAt: clock.now() }))
        .run(),
    );
    expect(await check(emailQueue)).toEqual(['ok: 1 email to send, none failed.']);
    close(db);
  });

  test('warns if the provider refuses the sender or the login', async () => {
    const db = makeDatabase((each) =>
      each
        .insert(outbox)
        .values(
          ['the sender is refused: 553 not yours', 'the login is refused: 535 who?'].map(
            (lastError, index) =>
              makeOutboxEmail({ id: `${index}`, createdAt: clock.now(), lastError }),
          ),
        )
        .run(),
    );
    expect(await check(emailQueue)).toEqual([
      'warning: The email provider refuses the sender (MAIL_FROM): emails are waiting.',
      'warning: The email provider refuses the login: emails are waiting.',
    ]);
    close(db);
  });

  test('warns of emails that failed or have waited too long', async () => {
    const db = makeDatabase((each) =>
      each
        .insert(outbox)
        .values([
          makeOutboxEmail({ id: 'a', state: 'dead' }),
          makeOutboxEmail({ id: 'b', createdAt: clock.now() - 2 * hour }),
          makeOutboxEmail({ id: 'c', createdAt: clock.now() - 2 * hour }),
        ])
        .run(),
    );
    expect(await check(emailQueue)).toEqual([
      'warning: 1 email failed for good.',
      'warning: 2 emails have waited for more than an hour.',
    ]);
    close(db);
  });
});

describe('publishing', () => {
  const origin = { build: 'a', publicUrl: 'https://fieldlight.example', database: 'b' };

  test.each<[string, number, string]>([
    ['done', 2, 'ok: The site is published, and no page waits.'],
    ['late', 1, 'warning: 1 page has waited for more than an hour to be published.'],
  ])('reports that changes are %s', async (_what, seq, expected) => {
    mkdirSync(join(dataDir, 'releases/a'), { recursive: true });
    symlinkSync('releases/a', join(dataDir, 'site'));
    const state = { ...origin, seq, tried: seq, hasCards: true, createdAt: 0 };
    writeFileSync(join(dataDir, 'releases/a.json'), JSON.stringify(state));
    const db = makeDatabase((each) => {
      const entries = [1, 2].map((n) => ({
        seq: n,
        path: '/a',
        createdAt: clock.now() - 2 * hour,
      }));
      each.insert(publishLog).values(entries).run();
    });
    expect(await check(publishing)).toEqual([expected]);
    close(db);
  });

  test('fails if no site is published', async () => {
    const db = makeDatabase();
    expect(await check(publishing)).toEqual(['failure: No site is published in DATA_DIR/site.']);
    close(db);
  });
});

describe('last backup', () => {
  const write = (text: string) => writeFileSync(join(dataDir, 'last-backup.json'), text);
  const made = (hours: number) =>
    JSON.stringify({
      time: new Date(clock.now() - hours * hour).toISOString(),
      ...{ file: '/backups/a.tar.gz', bytes: 12_345_678 },
    });

  test('warns if there is none', async () => {
    expect(await check(lastBackup)).toEqual(['warning: There is no backup of this site.']);
  });

  test('accepts a recent backup, and warns of an old one', async () => {
    write(made(25));
    expect(await check(lastBackup)).toEqual([
      'ok: The last backup was made on 2026-02-28 11:00 UTC (12.3 MB).',
    ]);
    write(made(50));
    expect(await check(lastBackup)).toEqual([
      'warning: The last backup was made on 2026-02-27 10:00 UTC (12.3 MB): 50 hours ago.',
    ]);
  });

  test.each(['', '{', '{"time":"yesterday","bytes":1}'])(
    'warns if last-backup.json is invalid: %j',
    async (text) => {
      write(text);
      expect(await check(lastBackup)).toEqual([
        'warning: DATA_DIR/last-backup.json cannot be read.',
      ]);
    },
  );
});
