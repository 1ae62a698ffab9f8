import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { pictureFiles } from '@app/contract/blog/pictures';
import { describe, expect, test } from 'vitest';
import {
  backupsForEachTest,
  cli,
  entriesOf,
  fill,
  names,
  refused,
  savedPicture,
} from '../../testing/backups.ts';
import { makeDataDir } from '../../testing/blog.ts';
import { cliJson } from '../../testing/cli.ts';
import { isFullRun } from '../../testing/full-run.ts';
import { MovingClock, makeTestApp, signedInBrowser } from '../../testing/test-app.ts';

const someBackup = await backupsForEachTest();

describe('backup', () => {
  test('contains the database and the files it refers to, and reports them', async () => {
    await using testApp = await makeTestApp({ publishes: true });
    const { ann, picture } = await fill(testApp);
    // Replaces the first avatar, which is no longer used then.
    const avatarUrl = await savedPicture(ann);
    await testApp.deps.avatars.settled();
    const folder = makeDataDir();
    const file = join(folder, 'site.tar.gz');
    const { exitCode, out, err } = await cli(testApp.dataDir, 'backup', file);

    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: expect.stringMatching(/ has 1 account, 1 post, 0 messages, 4 uploaded files\.\n$/),
    });
    expect(err).toMatch(
      /^Copying the database …\nCompressing the database …\nCopying avatars and pictures …\nVerifying the archive \(0\.\d MB\) …\n$/,
    );
    expect(names(folder)).toEqual(['site.tar.gz']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const entries = await entriesOf(file);
    const pictures = [
      ...[avatarUrl, avatarUrl.replace('.webp', '-96.webp')].map((url) => url.slice(1)),
      ...pictureFiles(picture).map((url) => `uploads${url}`),
    ];
    expect([...entries.keys()]).toEqual(['site.db', ...pictures]);
    for (const name of pictures) {
      expect(entries.get(name)).toEqual(readFileSync(join(testApp.dataDir, name)));
    }
  });

  test('reports JSON without progress, like verify and restore', async () => {
    const { dataDir } = someBackup();
    const json = (folder: string, ...args: string[]) =>
      cliJson({ dataDir: folder, clock: new MovingClock() }, ...args);
    const file = join(makeDataDir(), 'site.tar.gz');
    const contents = {
      createdAt: '2026-03-01T12:00:00.000Z',
      ...{ accounts: 1, posts: 1, messages: 0, uploadedFiles: 4, missing: [] },
    };
    const made = await json(dataDir, 'backup', file);
    const expected = { file, bytes: statSync(file).size, ...contents };
    expect(made).toEqual({ ...expected, deleted: [], recordError: null });
    expect(await json('/nowhere', 'verify', file)).toEqual({ ...expected, isOlder: false });
    const target = join(makeDataDir(), 'new');
    expect(await json(target, 'restore', file)).toEqual(contents);
  });

  test('contains no traces of deleted rows', async () => {
    await using testApp = await makeTestApp({ publishes: true });
    const { ann } = await fill(testApp);
    const secret = 'a deleted sentence';
    const draft = { title: 'A draft', content: secret.repeat(200) };
    const created = await ann.post('/api/posts', draft);
    const { post } = (await created.json()) as { post: { id: string } };
    await ann.request('DELETE', `/api/posts/${post.id}`);
    await ann.post(`/api/posts/${post.id}/delete-forever`, {});
    const file = join(makeDataDir(), 'site.tar.gz');
    await cli(testApp.dataDir, 'backup', file);
    const database = (await entriesOf(file)).get('site.db');
    expect(database?.includes(secret)).toBe(false);
  });

  test('includes referenced avatars from the trash, and reports missing ones', async () => {
    await using testApp = await makeTestApp({ publishes: true });
    const { ann, avatarUrl } = await fill(testApp);
    const bob = await signedInBrowser(testApp, 'bob@example.com');
    const gone = await savedPicture(bob);
    await savedPicture(ann);
    await testApp.deps.avatars.settled();
    const { $client: client } = testApp.deps.db;
    client
      .prepare('UPDATE profiles SET avatar_url = ? WHERE avatar_url LIKE ?')
      .run(avatarUrl, `${avatarUrl.slice(0, 40)}%`);
    rmSync(join(testApp.dataDir, gone));
    const file = join(makeDataDir(), 'site.tar.gz');
    const { exitCode, out } = await cli(testApp.dataDir, 'backup', file);
    expect(exitCode).toBe(0);
    expect(out).toContain(`because it was gone: ${gone.slice(1)}\n`);
    const entries = await entriesOf(file);
    expect(entries.has(avatarUrl.slice(1))).toBe(true);
    expect(entries.has(gone.slice(1))).toBe(false);
  });

  test.each([
    [
      'an existing file',
      (folder: string) => join(folder, 'taken.tar.gz'),
      /taken.* already exists/,
    ],
    [
      'a missing path without the ending of an archive',
      (folder: string) => join(folder, 'backups'),
      /^The folder .*backups does not exist: create it, or mount its disk\. The name of an archive ends/,
    ],
    [
      'an archive with another ending',
      (folder: string) => join(folder, 'site.zip'),
      /site\.zip does not exist: .* The name of an archive ends in \.tar\.gz\.\n$/,
    ],
    [
      'a missing folder',
      (folder: string) => join(folder, 'none/site.tar.gz'),
      /^The folder .*none does not exist: create it, or mount its disk\./,
    ],
  ])('refuses %s as the target', async (_what, fileIn, reason) => {
    const { dataDir } = someBackup();
    const folder = makeDataDir();
    writeFileSync(join(folder, 'taken.tar.gz'), 'something');
    expect(await refused(dataDir, 'backup', fileIn(folder))).toMatch(reason);
    expect(names(folder)).toEqual(['taken.tar.gz']);
    expect(readFileSync(join(folder, 'taken.tar.gz'), 'utf8')).toBe('something');
  });

  test('fails if the database is damaged', async () => {
    const { dataDir } = someBackup();
    const path = join(dataDir, 'site.db');
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xff, bytes.length / 2));
    const folder = makeDataDir();
    expect(await refused(dataDir, 'backup', join(folder, 'b.tar.gz'))).toMatch(/malformed|damaged/);
    expect(names(folder)).toEqual([]);
  });

  test('leaves no files when interrupted', async () => {
    const { dataDir } = someBackup();
    const folder = makeDataDir();
    const result = refused(dataDir, 'backup', join(folder, 'site.tar.gz'));
    process.emit('SIGTERM');
    expect(await result).toContain('Interrupted: nothing was changed.\n');
    expect(names(folder)).toEqual([]);
    expect(process.listenerCount('SIGTERM')).toBe(0);
  });

  /** Interrupts after some turns of the event loop. @returns the interrupted step, or `complete` */
  async function interrupt(dataDir: string, turns: number): Promise<string> {
    const folder = makeDataDir();
    const running = cli(dataDir, 'backup', join(folder, 'site.tar.gz'));
    for (let turn = 0; turn < turns; turn += 1) await yieldToEventLoop();
    process.emit('SIGTERM');
    const { exitCode, err } = await running;
    expect(names(folder)).toEqual(exitCode === 0 ? ['site.tar.gz'] : []);
    if (exitCode === 0) return 'complete';
    expect(err).toContain('Interrupted: nothing was changed.\n');
    return (err.split('\n').at(-3) ?? '').split(' ')[0] ?? '';
  }

  // An unhandled abort would fail the test run.
  test('leaves a complete backup or none when interrupted at any step', async () => {
    const { dataDir } = someBackup();
    const outcomes = new Set<string>();
    // On a busy machine, turns take longer, so that large increments can skip steps.
    for (
      let step = isFullRun ? 5 : 50;
      step > 0 && outcomes.size <= 2;
      step = Math.floor(step / 5)
    ) {
      let outcome = '';
      for (let turns = 0; outcome !== 'complete' && turns < 20_000; turns += step) {
        outcome = await interrupt(dataDir, turns);
        outcomes.add(outcome);
      }
    }
    expect(outcomes.size).toBeGreaterThan(2);
  });
});
