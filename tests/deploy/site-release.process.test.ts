import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../support/database.ts';
import { isFullRun } from '../support/full-run.ts';
import { moveDatabaseAside } from '../support/move-aside.ts';
import { makeNextBuild, makeNextVersion } from '../support/next-version.ts';
import { makeProgram, ReleaseMachine } from '../support/release-machine.ts';
import { temporaryFolder } from '../support/site-process.ts';

const unready = `import { createServer } from 'node:http';
createServer((_, response) => response.writeHead(503).end()).listen(process.env.PORT, '127.0.0.1');
process.on('SIGTERM', () => process.exit());
`;

describe('the version that docs/deploy/site-release builds', () => {
  const folder = temporaryFolder();
  let machine: ReleaseMachine;
  let program: string;

  beforeAll(async () => {
    machine = await ReleaseMachine.create(join(folder.path, 'machine'));
    program = makeProgram(join(folder.path, 'program'), '');
  });
  afterAll(async () => {
    await machine[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  async function built(version?: string): Promise<string> {
    const { code, stderr } = await machine.release(version);
    expect([code, stderr]).toEqual([0, '']);
    return machine.current;
  }

  test('is the newest commit of a branch, not the one that was cloned', async () => {
    const newest = machine.commit(program);
    expect(await built('main')).toBe(newest);
  });

  test('is the commit to which a tag was moved', async () => {
    machine.tag('v1.4.0');
    const first = await built('v1.4.0');
    const second = machine.commit(`${program}/`);
    machine.tag('v1.4.0');
    expect([await built('v1.4.0'), await built(first)]).toEqual([second, first]);
  });

  test('is built again after its folder was deleted by hand', async () => {
    const current = await built();
    rmSync(join(machine.root, 'releases', current), { recursive: true });
    expect(await built()).toBe(current);
    expect(existsSync(join(machine.root, 'current/built'))).toBe(true);
  });

  test('stays the same if the repository cannot be reached', async () => {
    const before = machine.current;
    machine.removeOrigin();
    const { code, stderr } = await machine.release();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The new versions cannot be fetched; nothing was changed\. Try as/m);
    expect(machine.current).toBe(before);
  });
});

describe.runIf(isFullRun)('docs/deploy/site-release', () => {
  const folder = temporaryFolder();
  const path = (name: string) => join(folder.path, name);
  let machine: ReleaseMachine;
  /** Commits of versions that serve the site; the second has a migration. */
  let first: string;
  let migrated: string;

  beforeAll(async () => {
    makeNextBuild(path('first'));
    makeNextVersion(path('migrated'), 'CREATE TABLE next_table (id text PRIMARY KEY);');
    machine = await ReleaseMachine.create(path('machine'));
  });
  afterAll(async () => {
    await machine[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  async function sendMessage(message: string): Promise<number> {
    const site = machine.site;
    if (!site) throw new Error('no server');
    const { status } = await fetch(`${site.url}/api/contact`, {
      method: 'POST',
      headers: { Origin: site.origin, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Vera', email: 'vera@example.com', message }),
    });
    return status;
  }
  function messages(): string[] {
    using db = openDatabase(machine.dataDir);
    return db.$client
      .prepare<[], { message: string }>('SELECT message FROM contact_submissions ORDER BY message')
      .all()
      .map(({ message }) => message);
  }

  test('builds the first version, and starts nothing without a service', async () => {
    first = machine.commit(path('first'));
    const { code, stdout } = await machine.release();
    expect([code, stdout]).toEqual([0, `Built ${first}. The service is not installed yet.\n`]);
    expect([machine.current, machine.restarted]).toEqual([first, []]);
  });

  test('starts a version, and exits when it is ready', async () => {
    machine.hasService = true;
    const { code, stdout } = await machine.release();

    expect([code, stdout]).toEqual([0, `${first} serves the site.\n`]);
    expect(machine.restarted.splice(0)).toEqual(['site', 'site-backup']);
    expect(await sendMessage('before the updates')).toBe(201);
  });

  test('a version that does not exist or cannot be built changes nothing', async () => {
    const unknown = await machine.release('v9.9.9');
    machine.commit(path('no-such-build'));
    const failed = await machine.release();

    expect(unknown).toMatchObject({
      code: 1,
      stderr: 'There is no version v9.9.9: name a tag, a branch or a commit.\n',
    });
    expect(failed.code).not.toBe(0);
    expect(failed.stderr).toContain('no-such-build');
    expect([machine.current, machine.restarted]).toEqual([first, []]);
  });

  test.each([
    ['ends', 'process.exit(1);', 1],
    ['does not become ready', unready, 0.25],
  ])('goes back from a version that %s', async (name, source, sleep) => {
    const broken = machine.commit(makeProgram(path(name), source));
    const { code, stdout, stderr } = await machine.release(undefined, sleep);

    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      `${broken} does not serve the site. Its log: journalctl -u site\nreleases/${first} serves it again.\n`,
    );
    expect(machine.current).toBe(first);
    expect(machine.restarted.splice(0)).toEqual(['site', 'site']);
    expect(await sendMessage(`after a version that ${name}`)).toBe(201);
  });

  test('says how to go back, and goes back with the database from before a migration', async () => {
    const before = messages();
    migrated = machine.commit(path('migrated'));
    const update = await machine.release();
    expect([update.code, update.stdout]).toEqual([
      0,
      `${migrated} serves the site.\nTo go back: site-release ${first}\n`,
    ]);
    expect(await sendMessage('after the migration')).toBe(201);

    // The older version refuses the newer database.
    const tooEarly = await machine.release(first);
    expect(tooEarly.code).toBe(1);
    expect(tooEarly.stderr).toContain(`releases/${migrated} serves it again.`);
    expect(await sendMessage('after the attempt')).toBe(201);

    await machine.stop();
    const [copy = ''] = readdirSync(join(machine.dataDir, 'before-migration'));
    moveDatabaseAside(machine.dataDir);
    const restored = await machine.cli('restore', join(machine.dataDir, 'before-migration', copy));
    expect(restored.code).toBe(0);
    const back = await machine.release(first);

    expect([back.code, machine.current]).toEqual([0, first]);
    expect(messages()).toEqual(before);
    expect(await sendMessage('after going back')).toBe(201);
  });

  test('goes forward again, and keeps the four newest versions', async () => {
    const { code } = await machine.release(migrated);
    const releases = readdirSync(join(machine.root, 'releases'));

    expect([code, machine.current]).toEqual([0, migrated]);
    expect(releases.length).toBeLessThanOrEqual(5);
    expect(releases).toEqual(expect.arrayContaining([first, migrated]));
    expect(messages()).toContain('after going back');
    // git does not list the deleted worktrees, either.
    const worktrees = readdirSync(join(machine.root, 'source/.git/worktrees'));
    expect(worktrees.toSorted()).toEqual(releases.toSorted());
  });

  test('says how to recover if the earlier version does not serve the site, either', async () => {
    machine.commit(
      makeProgram(
        path('migrates and ends'),
        `import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
const db = new DatabaseSync(join(process.env.DATA_DIR, 'site.db'));
db.exec("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('x', 9999999999999)");
process.exit(1);
`,
      ),
    );
    const { code, stderr } = await machine.release();

    expect(code).toBe(1);
    expect(stderr).toContain(
      `releases/${migrated} does not serve it either: see Roll back in docs/deploy.md.`,
    );
    expect(existsSync(join(machine.root, 'current'))).toBe(true);
    expect(readFileSync(join(machine.root, 'current/built'), 'utf8')).toBe(path('migrated'));
  });
});
