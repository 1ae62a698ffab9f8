import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockFolder } from '@app/db/folder-lock';
import { withReadOnly } from '@app/db/read-only';
import { testOnFile } from '@app/db/testing/tests-by-kind';
import { describe, expect, test } from 'vitest';
import { createLog } from '../../log.ts';
import { databaseIdName } from '../../publishing/log.ts';
import {
  backupsForEachTest,
  cli,
  databaseWith,
  names,
  refused,
  rowsIn,
} from '../../testing/backups.ts';
import { makeDataDir } from '../../testing/blog.ts';
import { makeTestApp, signedInBrowser } from '../../testing/test-app.ts';
import { existing, siteEntries } from '../data-folder/contents.ts';
import { prepareDataFolder } from '../data-folder/startup.ts';

const someBackup = await backupsForEachTest();

describe('restore', () => {
  test('restores the site into an empty folder', async () => {
    const { dataDir, file, rows } = someBackup();
    const target = join(makeDataDir(), 'new');
    expect(await cli(target, 'restore', file)).toEqual({
      exitCode: 0,
      out: 'Restored the backup of 2026-03-01 12:00 UTC: 1 account, 1 post, 0 messages, 4 uploaded files.\nStart the server: it renders all pages.\n',
      err: 'Unpacking …\nChecking the database …\n',
    });
    expect(rowsIn(target)).toEqual(rows);
    const pictures = readdirSync(join(dataDir, 'uploads'), { recursive: true }).sort();
    expect(readdirSync(join(target, 'uploads'), { recursive: true }).sort()).toEqual(pictures);
    expect(names(target)).toEqual(['site.db', 'uploads']);
    expect(statSync(target).mode & 0o777).toBe(0o700);
    expect(statSync(join(target, 'site.db')).mode & 0o777).toBe(0o600);
  });

  testOnFile(
    'refuses a folder with a site, and says how to move it aside',
    'it is refused with DATABASE_URL',
    async () => {
      const { dataDir, file, rows } = someBackup();
      {
        await using testApp = await makeTestApp({ publishes: true, dataDir });
        await signedInBrowser(testApp, 'bob@example.com');
      }
      const later = rowsIn(dataDir);
      const before = names(dataDir);
      // Before it asks to move anything.
      expect(await refused(dataDir, 'restore', '/none.tar.gz')).toContain('There is no file');
      const err = await refused(dataDir, 'restore', file);
      expect(err).toContain(`DATA_DIR ${dataDir} contains a site. Move it aside, then try again:`);
      expect(rowsIn(dataDir)).toEqual(later);
      expect(names(dataDir)).toEqual(before);

      execFileSync('sh', ['-c', err.split('\n').at(-2) ?? '']);
      const previous = 'previous-2026-03-01T12-00-00.000Z';
      expect(existing(dataDir, siteEntries)).toEqual([]);
      expect(await cli(dataDir, 'restore', file)).toMatchObject({ exitCode: 0 });
      expect(rowsIn(dataDir)).toEqual(rows);
      expect(rowsIn(join(dataDir, previous))).toEqual(later);
      expect(existing(dataDir, siteEntries)).toEqual(['site.db', 'uploads']);
      const all = readdirSync(join(dataDir, previous));
      expect(all).toEqual(expect.arrayContaining(['releases', 'site', 'uploads']));
    },
  );

  test('restores into the folder of a start that was aborted, and keeps other files', async () => {
    const { file, rows } = someBackup();
    const dataDir = makeDataDir();
    mkdirSync(join(dataDir, 'uploads/avatars'), { recursive: true });
    for (const name of ['server.lock', 'notes.txt']) writeFileSync(join(dataDir, name), '');
    expect(await cli(dataDir, 'restore', file)).toMatchObject({ exitCode: 0 });
    expect(rowsIn(dataDir)).toEqual(rows);
    expect(names(dataDir)).toEqual(['notes.txt', 'server.lock', 'site.db', 'uploads']);
  });

  test('refuses what a killed restore left, like the server', async () => {
    const { file } = someBackup();
    const dataDir = makeDataDir();
    writeFileSync(join(dataDir, 'restoring-site.db'), 'x');
    expect(await refused(dataDir, 'restore', file)).toContain('mv restoring-site.db previous-');
    const start = () =>
      prepareDataFolder(dataDir, { startNew: false, now: 0, log: createLog('silent') });
    expect(start).toThrow(/^DATA_DIR contains a site but no database/);
  });

  test('refuses while a server uses the folder', async () => {
    const { file } = someBackup();
    const dataDir = makeDataDir();
    const unlock = lockFolder(dataDir);
    try {
      expect(await refused(dataDir, 'restore', file)).toBe(
        `A server is using DATA_DIR ${dataDir}: stop it, then try again. Nothing was changed.\n`,
      );
    } finally {
      unlock?.();
    }
    expect(names(dataDir)).toEqual(['server.lock']);
  });

  test('gives the database another id, by which servers notice that it was restored', async () => {
    const { file } = someBackup();
    await databaseWith(
      `INSERT OR REPLACE INTO server_secrets VALUES ('${databaseIdName}', 'an id')`,
    )(file);
    const secretsOf = (dataDir: string): unknown =>
      withReadOnly(join(dataDir, 'site.db'), ({ $client }) =>
        $client.prepare('SELECT name FROM server_secrets ORDER BY name').pluck().all(),
      );
    const dataDir = makeDataDir();
    expect(await cli(dataDir, 'restore', file)).toMatchObject({ exitCode: 0 });
    const secrets = secretsOf(dataDir);
    expect(secrets).toContain('form-tokens');
    expect(secrets).not.toContain(databaseIdName);
  });

  test.each(['', 'new/data'])('leaves nothing after an interruption, in "%s"', async (path) => {
    const { file } = someBackup();
    const folder = makeDataDir();
    const dataDir = join(folder, path);
    const result = refused(dataDir, 'restore', file);
    process.emit('SIGTERM');
    expect(await result).toContain('Interrupted: nothing was changed.\n');
    expect(names(folder)).toEqual([]);
  });

  test.each([
    ['a missing file', 'none.tar.gz', /There is no file .*none\.tar\.gz\.\n$/],
    ['a missing database', 'none.db', /There is no file .*none\.db\.\n$/],
    ['a folder', '.', / is a folder without backups: specify a file\.\n$/],
  ])('reports %s, and leaves no lock', async (_what, name, reason) => {
    const target = makeDataDir();
    expect(await refused(target, 'restore', join(target, name))).toMatch(reason);
    expect(names(target)).toEqual([]);
  });

  test.each(['restore', 'verify', 'backup'])('%s rejects an empty path', async (command) => {
    const { exitCode, err } = await cli(makeDataDir(), command, '');
    expect(exitCode).toBe(2);
    expect(err).toMatch(/^<file.*> is empty\.\n/);
  });
});
