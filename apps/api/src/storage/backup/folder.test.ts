import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { day, second } from '@app/contract/durations';
import { open } from '@app/db/open';
import { describe, expect, test } from 'vitest';
import type { LastBackup } from '../../last-backup.ts';
import { backupsForEachTest, cli, names, refused } from '../../testing/backups.ts';
import { makeDataDir } from '../../testing/blog.ts';
import { runCli } from '../../testing/cli.ts';
import { MovingClock } from '../../testing/test-app.ts';
import { until } from '../../testing/until.ts';
import { folderUploads } from '../uploads/upload-store.ts';
import { makeBackup } from './backup.ts';
import { backupNames } from './names.ts';
import { folderStore } from './store.ts';

const someBackup = await backupsForEachTest();
const now = new MovingClock().now();
const { at } = backupNames('http://localhost:4321');
const newest = at(now);

const recorded = (dataDir: string): LastBackup =>
  JSON.parse(readFileSync(join(dataDir, 'last-backup.json'), 'utf8')) as LastBackup;

/** A folder with backups from so many days ago. */
function folderWith(...days: number[]): string {
  const folder = makeDataDir();
  for (const before of days) writeFileSync(join(folder, at(now - before * day)), 'x');
  return folder;
}

describe('backup into a folder', () => {
  test('names the archive by host and time, and keeps earlier ones', async () => {
    const { dataDir } = someBackup();
    const folder = folderWith(1, 2);
    const { exitCode, out } = await cli(dataDir, 'backup', folder);
    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: expect.stringMatching(
        /\/localhost-2026-03-01T12-00-00\.000Z\.tar\.gz \(0\.\d MB\) has /,
      ),
    });
    expect(names(folder)).toEqual([at(now - 2 * day), at(now - day), newest]);
    expect((await cli(dataDir, 'verify', join(folder, newest))).exitCode).toBe(0);
  });

  test('deletes the oldest with --keep, but only archives of this site', async () => {
    const { dataDir } = someBackup();
    const folder = folderWith(1, 2, 3, 4);
    const others = [
      'notes.txt',
      'localhost-2026-01-01.tar.gz',
      'example.com-2026-01-01T12-00-00.000Z.tar.gz',
    ];
    for (const name of others) writeFileSync(join(folder, name), 'x');
    const { exitCode, out } = await cli(dataDir, 'backup', '--keep', '3', folder);
    expect(exitCode).toBe(0);
    const deleted = [at(now - 3 * day), at(now - 4 * day)].map((name) => join(folder, name));
    expect(out.split('\n').slice(1)).toEqual([...deleted.map((file) => `Deleted ${file}.`), '']);
    expect(names(folder)).toEqual([...others, at(now - 2 * day), at(now - day), newest].sort());
  });

  test('never deletes the new backup, even if others are from the future', async () => {
    const { dataDir } = someBackup();
    const folder = folderWith(-1, 1);
    await cli(dataDir, 'backup', '--keep', '2', folder);
    expect(names(folder)).toEqual([newest, at(now + day)]);
  });

  test('neither deletes nor counts backups from when the clock was ahead', async () => {
    const { dataDir } = someBackup();
    const folder = folderWith(-2, -3, -4, 1, 2, 3);
    await cli(dataDir, 'backup', '--keep', '3', folder);
    expect(names(folder)).toEqual([2, 1, 0, -2, -3, -4].map((days) => at(now - days * day)));
  });

  test('deletes nothing when the new archive is damaged', async () => {
    const { dataDir } = someBackup();
    const folder = folderWith(1, 2);
    const before = names(folder);
    const store = folderStore(folder);
    const db = open(join(dataDir, 'site.db'));
    await expect(
      makeBackup(db, {
        ...{ dataDir, now, name: newest, uploads: folderUploads(dataDir), store },
        signal: new AbortController().signal,
        onProgress(line) {
          if (typeof line === 'number' || !line.startsWith('Verifying')) return;
          const [partial = ''] = names(folder);
          const archive = join(folder, partial, 'archive');
          writeFileSync(archive, readFileSync(archive).fill(0, 1_000, 1_100));
        },
      }),
    ).rejects.toThrow(/^The new archive is not usable: /);
    db.$client.close();
    expect(names(folder)).toEqual(before);
    expect(recorded(dataDir).file).toMatch(/site\.tar\.gz$/);
  });

  test.each([
    ['--keep 3', ['--keep', '3'], ''],
    ['a trailing slash', [], '/'],
  ])('fails without changes if the folder is missing, with %s', async (_what, options, end) => {
    const { dataDir } = someBackup();
    const folder = join(makeDataDir(), 'none');
    expect(await refused(dataDir, 'backup', ...options, `${folder}${end}`)).toBe(
      `The folder ${folder} does not exist: create it, or mount its disk. The name of an archive ends in .tar.gz.\n`,
    );
    expect(existsSync(folder)).toBe(false);
  });

  test('takes any folder, whatever it is called', async () => {
    const { dataDir } = someBackup();
    const parent = makeDataDir();
    for (const name of ['backups', 'site.tar.gz']) {
      mkdirSync(join(parent, name));
      expect((await cli(dataDir, 'backup', `${join(parent, name)}/`)).exitCode).toBe(0);
      expect(names(join(parent, name))).toEqual([newest]);
    }
  });

  test('refuses a file that is not an archive', async () => {
    const { dataDir } = someBackup();
    const file = join(makeDataDir(), 'notes');
    writeFileSync(file, 'x');
    for (const options of [[], ['--keep', '3']]) {
      const err = await refused(dataDir, 'backup', ...options, file);
      expect(err).toBe(`${file} is not a folder. The name of an archive ends in .tar.gz.\n`);
    }
  });

  test('removes what killed processes left, but not unfinished backups of running ones', async () => {
    const { dataDir } = someBackup();
    const folder = makeDataDir();
    for (const [name, madeAt] of [
      ['.site-backup-aaaaaa', now - 2 * day],
      ['.site-backup-bbbbbb', now - day / 2],
      ['.notes-aaaaaa', now - 2 * day],
    ] as const) {
      mkdirSync(join(folder, name));
      utimesSync(join(folder, name), madeAt / second, madeAt / second);
    }
    expect((await cli(dataDir, 'backup', folder)).exitCode).toBe(0);
    expect(names(folder)).toEqual(['.notes-aaaaaa', '.site-backup-bbbbbb', newest]);
  });

  test('makes two backups at the same time', async () => {
    const { dataDir } = someBackup();
    const folder = folderWith(1, 2);
    const later = new MovingClock();
    later.move(1);
    const args = ['backup', '--keep', '2', folder];
    const both = await Promise.all([
      cli(dataDir, ...args),
      runCli({ dataDir, clock: later }, ...args),
    ]);
    expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(names(folder)).toEqual([newest, at(now + 1)]);
    for (const name of names(folder)) {
      expect((await cli(dataDir, 'verify', join(folder, name))).exitCode).toBe(0);
    }
  });
});

describe('last-backup.json', () => {
  test.each([
    ['a file', (folder: string) => join(folder, 'site.tar.gz')],
    ['a folder', (folder: string) => folder],
  ])('records when and where a backup into %s was made', async (_what, pathIn) => {
    const { dataDir } = someBackup();
    const folder = makeDataDir();
    expect((await cli(dataDir, 'backup', pathIn(folder))).exitCode).toBe(0);
    const [name = ''] = names(folder);
    const file = join(folder, name);
    expect(recorded(dataDir)).toEqual({
      time: '2026-03-01T12:00:00.000Z',
      file,
      bytes: statSync(file).size,
    });
    expect(statSync(join(dataDir, 'last-backup.json')).mode & 0o777).toBe(0o600);
  });

  test('is not changed by a failed backup', async () => {
    const { dataDir } = someBackup();
    const folder = makeDataDir();
    await cli(dataDir, 'backup', folder);
    const before = recorded(dataDir);
    await refused(dataDir, 'backup', join(folder, newest));
    expect(recorded(dataDir)).toEqual(before);
  });

  test('is optional: the backup reports why it could not be written', async () => {
    const { dataDir } = someBackup();
    rmSync(join(dataDir, 'last-backup.json'));
    mkdirSync(join(dataDir, 'last-backup.json'));
    const folder = makeDataDir();
    const { exitCode, out } = await cli(dataDir, 'backup', folder);
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^.* has 1 account, .*\nlast-backup\.json was not written: EISDIR/);
    expect(names(folder)).toEqual([newest]);
  });

  test.runIf(process.getuid?.() === 0)('belongs to the owner of DATA_DIR', async () => {
    const { dataDir } = someBackup();
    chownSync(dataDir, 1234, 1235);
    await cli(dataDir, 'backup', makeDataDir());
    expect(statSync(join(dataDir, 'last-backup.json'))).toMatchObject({ uid: 1234, gid: 1235 });
  });
});

describe('--every', () => {
  test('makes a backup at once, waits, and exits with 0 when it is stopped', async () => {
    const { dataDir } = someBackup();
    const folder = folderWith(1, 2);
    const running = cli(dataDir, 'backup', folder, '--every', '6h', '--keep', '2');
    await until(() => existsSync(join(folder, newest)) && names(folder).length === 2);
    process.emit('SIGTERM');
    const { exitCode, out, err } = await running;
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: '' });
    expect(err.split('\n')).toEqual([
      expect.stringMatching(/^2026-03-01 12:00 UTC: .*000Z\.tar\.gz \(0\.\d MB\) has 1 account,/),
      `2026-03-01 12:00 UTC: Deleted ${join(folder, at(now - 2 * day))}.`,
      '',
    ]);
    expect(process.listenerCount('SIGTERM')).toBe(0);
  });

  test('leaves no partial file when it is stopped during a backup', async () => {
    const { dataDir } = someBackup();
    const folder = folderWith(1);
    const running = cli(dataDir, 'backup', folder, '--every', '6h', '--keep', '1');
    await until(() => readdirSync(folder).some((name) => name.startsWith('.site-backup-')));
    process.emit('SIGTERM');
    expect(await running).toEqual({ exitCode: 0, out: '', err: '' });
    expect(names(folder)).toEqual([at(now - day)]);
  });

  test('reports failures with the time and continues', async () => {
    const { dataDir } = someBackup();
    const folder = join(makeDataDir(), 'later');
    let err = '';
    const onError = (text: string) => {
      err += text;
    };
    const clock = new MovingClock();
    const running = runCli({ dataDir, clock, onError }, 'backup', folder, '--every', '6h');
    await until(() => err.includes('\n'));
    expect(err).toBe(
      `2026-03-01 12:00 UTC: Failed, next try at 2026-03-01 12:01 UTC: The folder ${folder} does not exist: create it, or mount its disk. The name of an archive ends in .tar.gz.\n`,
    );
    process.emit('SIGTERM');
    expect(await running).toMatchObject({ exitCode: 0 });
  });

  test('waits for a database that the first start will create', async () => {
    const dataDir = join(makeDataDir(), 'none');
    let err = '';
    const onError = (text: string) => {
      err += text;
    };
    const clock = new MovingClock();
    const running = runCli({ dataDir, clock, onError }, 'backup', makeDataDir(), '--every', '6h');
    await until(() => err.includes('\n'));
    expect(err).toContain('Failed, next try at 2026-03-01 12:01 UTC: There is no database in ');
    process.emit('SIGTERM');
    expect(await running).toMatchObject({ exitCode: 0 });
  });
});

test.each([
  [['--every', '5', '/tmp'], '--every 5: expected minutes, hours or days up to 30d'],
  [['--keep', '0', '/tmp'], '--keep 0: expected a number of at least 1, such as 30.'],
  [['--every', '6h', '/none/site.tar.gz'], 'specify a folder instead of '],
  [['--every', '6h', '--json', '/tmp'], '--every prints no result: omit --json.'],
  [[], '<file or folder> is missing.'],
  [[''], '<file or folder> is empty.'],
  [['s3://bucket/site.tar.gz?region=eu-west-1'], 'specify a folder instead of '],
  [['--keep', '3', '/none/site.tar.gz'], 'specify a folder instead of '],
  [['a', 'b'], 'Unexpected argument "b".'],
])('rejects the arguments %j', async (args, reason) => {
  const { exitCode, err } = await cli(makeDataDir(), 'backup', ...args);
  expect(exitCode).toBe(2);
  expect(err).toContain(reason);
});
