import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { lockFolder } from '@app/db/folder-lock';
import { close, open } from '@app/db/open';
import { testOnFile } from '@app/db/testing/tests-by-kind';
import { describe, expect, test } from 'vitest';
import { backupsForEachTest, cli, names, refused, rowsIn } from '../../testing/backups.ts';
import { makeDataDir } from '../../testing/blog.ts';
import { makeTestApp, signedInBrowser } from '../../testing/test-app.ts';

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
    expect(names(target).filter((name) => !name.startsWith('server.lock'))).toEqual([
      // Read by the next start.
      'site.db',
      'uploads',
    ]);
    expect(statSync(target).mode & 0o777).toBe(0o700);
    expect(statSync(join(target, 'site.db')).mode & 0o777).toBe(0o600);
  });

  testOnFile(
    'moves an existing site aside only with --replace',
    'it is refused with DATABASE_URL',
    async () => {
      const { dataDir, file, rows } = someBackup();
      {
        await using testApp = await makeTestApp({ publishes: true, dataDir });
        await signedInBrowser(testApp, 'bob@example.com');
      }
      const later = rowsIn(dataDir);
      const before = names(dataDir);
      expect(await refused(dataDir, 'restore', file)).toContain(
        'contains a site: set it to an empty folder, or add --replace',
      );
      expect(rowsIn(dataDir)).toEqual(later);
      expect(names(dataDir)).toEqual([...before, 'server.lock'].sort());

      const { exitCode, out } = await cli(dataDir, 'restore', file, '--replace');
      const previous = join(dataDir, 'previous-2026-03-01T12-00-00.000Z');
      expect({ exitCode, out }).toEqual({
        exitCode: 0,
        out: expect.stringContaining(`The site that was there before is in ${previous}.\n`),
      });
      expect(rowsIn(dataDir)).toEqual(rows);
      expect(rowsIn(previous)).toEqual(later);
      expect(names(previous)).toEqual(expect.arrayContaining(['releases', 'site', 'uploads']));
      expect(existsSync(join(dataDir, 'site'))).toBe(false);
    },
  );

  test('refuses while a server uses the folder', async () => {
    const { dataDir, file } = someBackup();
    const before = rowsIn(dataDir);
    const unlock = lockFolder(dataDir);
    try {
      expect(await refused(dataDir, 'restore', file, '--replace')).toContain(
        `A server is using DATA_DIR ${dataDir}: stop it`,
      );
    } finally {
      unlock?.();
    }
    expect(rowsIn(dataDir)).toEqual(before);
  });

  test('refuses while another program has the database open', async () => {
    const { dataDir, file } = someBackup();
    const before = rowsIn(dataDir);
    const db = open(join(dataDir, 'site.db'));
    try {
      expect(await refused(dataDir, 'restore', file, '--replace')).toBe(
        `Unpacking …\nChecking the database …\nAnother program has ${join(dataDir, 'site.db')} open, such as Litestream, a backup or sqlite3: end it, then try again. Nothing was changed.\n`,
      );
    } finally {
      close(db);
    }
    expect(rowsIn(dataDir)).toEqual(before);
    expect(names(dataDir).filter((name) => name.startsWith('previous-'))).toEqual([]);
  });

  test('reports a missing file', async () => {
    const target = makeDataDir();
    expect(await refused(target, 'restore', join(target, 'none'))).toMatch(
      /There is no file .*none\.\n$/,
    );
  });
});
