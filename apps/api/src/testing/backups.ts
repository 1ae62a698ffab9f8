import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { AvatarSaved } from '@app/contract/accounts/avatars';
import type { Picture } from '@app/contract/blog/picture-replies';
import { close, type Database, open } from '@app/db/open';
import { copyShared } from '@app/db/testing/shared-databases';
import { extract, pack } from 'tar-stream';
import { afterAll, expect } from 'vitest';
import { databaseIdName } from '../publishing/log.ts';
import { makeDataDir } from './blog.ts';
import { runCli } from './cli.ts';
import { saveRows } from './copied-folder.ts';
import { fileForm, plainPicture, putAvatar } from './pictures.ts';
import { allRows } from './tables.ts';
import { MovingClock, makeTestApp, signedInBrowser, type TestApp } from './test-app.ts';

export const cli = (dataDir: string, ...args: string[]) =>
  runCli({ dataDir, clock: new MovingClock() }, ...args);

/** @returns the error output of a command that fails */
export async function refused(dataDir: string, ...args: string[]): Promise<string> {
  const { exitCode, out, err } = await cli(dataDir, ...args);
  expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
  expect(err).not.toMatch(/^\s+at /m);
  return err;
}

export const savedPicture = async (browser: Awaited<ReturnType<typeof signedInBrowser>>) => {
  const response = await putAvatar(browser, await plainPicture().png().toBuffer());
  return ((await response.json()) as AvatarSaved).avatarUrl;
};

/** Adds an author, a picture, a post and an avatar. */
export async function fill(testApp: TestApp) {
  const ann = await signedInBrowser(testApp);
  const body = fileForm(await plainPicture(30, 20).png().toBuffer());
  const stored = await ann.request('POST', '/api/posts/pictures', { body });
  const picture = (await stored.json()) as Picture;
  await ann.post('/api/posts', { title: 'Hello', content: 'Text', published: true });
  return { ann, picture, avatarUrl: await savedPicture(ann) };
}

interface MadeBackup {
  dataDir: string;
  /** The archive. */
  file: string;
  rows: unknown;
}

/** Creates a site and its backup once per test file, because it is slow. Each call copies both. */
export async function backupsForEachTest(): Promise<() => MadeBackup> {
  const folder = mkdtempSync(join(tmpdir(), 'backup-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  await using testApp = await makeTestApp({ publishes: true, dataDir });
  await fill(testApp);
  await testApp.deps.avatars.settled();
  await testApp.deps.publisher.settled();
  expect(await cli(dataDir, 'backup', join(folder, 'site.tar.gz'))).toMatchObject({ exitCode: 0 });
  const rows = rowsOf(testApp.deps.db);
  saveRows(dataDir);
  return () => {
    const copy = makeDataDir();
    cpSync(folder, copy, { recursive: true, verbatimSymlinks: true });
    return { dataDir: join(copy, 'data'), file: join(copy, 'site.tar.gz'), rows };
  };
}

export async function entriesOf(file: string): Promise<Map<string, Buffer>> {
  const entries = new Map<string, Buffer>();
  const tar = extract();
  tar.end(gunzipSync(await readFile(file)));
  for await (const entry of tar) entries.set(entry.header.name, await buffer(entry));
  return entries;
}

export async function writeArchive(
  file: string,
  entries: Iterable<readonly [string, Buffer]>,
): Promise<void> {
  const tar = pack();
  for (const [name, bytes] of entries) tar.entry({ name }, bytes);
  tar.finalize();
  writeFileSync(file, gzipSync(await buffer(tar)));
}

/** @returns a function that changes the files of an archive */
export const changed =
  (change: (entries: Map<string, Buffer>) => void) =>
  async (file: string): Promise<void> => {
    const entries = await entriesOf(file);
    change(entries);
    await writeArchive(file, entries);
  };

export const databaseBytesWith = (change: (bytes: Buffer) => Buffer) =>
  changed((entries) => {
    entries.set('site.db', change(entries.get('site.db') ?? Buffer.alloc(0)));
  });

export const databaseWith = (sql: string) =>
  databaseBytesWith((bytes) => {
    const file = join(makeDataDir(), 'site.db');
    writeFileSync(file, bytes);
    const db = open(file);
    db.$client.pragma('foreign_keys = OFF');
    db.$client.exec(sql);
    db.$client.pragma('journal_mode = DELETE');
    close(db);
    return readFileSync(file);
  });

/** Without the id of the database, which a restore removes. */
const rowsOf = (db: Database): unknown => {
  const { server_secrets: secrets = [], ...rows } = allRows(db);
  return {
    ...rows,
    secrets: secrets.filter((row) => (row as { name: string }).name !== databaseIdName),
  };
};

export function rowsIn(dataDir: string): unknown {
  const file = join(dataDir, 'site.db');
  const copy = join(makeDataDir(), 'copy.db');
  const db = open(copyShared(file, copy) ? copy : file);
  try {
    return rowsOf(db);
  } finally {
    close(db);
  }
}

export const names = (folder: string): string[] => readdirSync(folder).sort();
