import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../migrate.ts';
import { close, type Database, open } from '../open.ts';
import { rateLimits } from '../schema/server.ts';
import { storageFailureOf } from '../storage-failure.ts';
import { openEarlierDatabase } from '../testing/earlier-data.ts';
import { migrationTags } from '../testing/other-versions.ts';
import { describeOnServer } from '../testing/sqld.ts';
import { openTestFile } from '../testing/test-database.ts';
import { openTestReplica, startTestSqld, temporaryFolder } from '../testing/test-replica.ts';
import { type CopySide, compareDatabases, copyDatabase } from './copy-database.ts';
import { beginMove, endExpiredMove, endMove, finishMove, type Move, moveOf } from './move-state.ts';
import { copiedTables } from './tables.ts';

const copying = { signal: new AbortController().signal };
const begun = { id: 'one', other: 'elsewhere', milliseconds: 60_000 };

function openFile(name: string, openIt: (file: string) => Database): CopySide {
  const file = join(temporaryFolder(), name);
  const db = openIt(file);
  onTestFinished(() => close(db));
  return { db, file };
}

/** A database with rows in every table, including unusual values. */
function openSource(): CopySide {
  const source = openFile('source.db', (file) =>
    openEarlierDatabase(file, migrationTags.at(-1) ?? ''),
  );
  source.db.$client.exec(`
    DELETE FROM database_moves;
    INSERT INTO rate_limits (key, count, expires_at) VALUES
      ('largest', 9223372036854775807, -9223372036854775808), ('fraction', 0.1, 1e300),
      ('blob', x'00ff', NULL), ('a' || char(0) || 'b', 1, 1), ('', 0, 0), ('ä🌳', 1, 1);
    INSERT INTO publish_log (seq, path, created_at) VALUES (1000, '/', 1);
    DELETE FROM publish_log WHERE seq = 1000;
  `);
  return source;
}

const openCopy = (): CopySide => openFile('copy.db', openTestFile);

/** @returns for each statement, the message if it is refused, and null if it is not */
function attempts(db: Database, statements: string[]): (string | null)[] {
  return statements.map((statement) => {
    try {
      db.$client.prepare(statement).run();
      return null;
    } catch (error) {
      expect(storageFailureOf(error)).toBe('moved');
      return (error as Error).message;
    }
  });
}

function knownMove({ $client: client }: Database): Move {
  const move = moveOf(client);
  if (!move) throw new Error('no move');
  return move;
}

const refused = expect.stringContaining('the database is being moved, or was moved');

test('copies every table, value, key and sequence, and what changed since', async () => {
  const source = openSource();
  const copy = openCopy();
  await copyDatabase(source, copy, copying);
  const first = compareDatabases(source, copy);
  expect(first.map(({ table }) => table)).toEqual([
    ...copiedTables(source.db.$client).map(({ name }) => name),
    'sqlite_sequence',
  ]);
  expect(first.filter(({ rows }) => rows === 0)).toEqual([]);
  expect(first.map(({ table }) => table)).toContain('blog_search');

  source.db.$client.exec(`
    UPDATE rate_limits SET key = 'swap' WHERE key = 'largest';
    UPDATE rate_limits SET key = 'largest' WHERE key = 'fraction';
    UPDATE rate_limits SET key = 'fraction' WHERE key = 'swap';
    UPDATE rate_limits SET count = 1.5 WHERE key = '';
    DELETE FROM rate_limits WHERE key = 'blob';
    DELETE FROM users WHERE id = (SELECT user_id FROM sessions LIMIT 1);
    UPDATE blog_posts SET title = 'Another title';
    INSERT INTO publish_log (path, created_at) VALUES ('/', 1);
  `);
  expect(() => compareDatabases(source, copy)).toThrow('The copy of the table');
  await copyDatabase(source, copy, copying);
  expect(compareDatabases(source, copy)).not.toEqual(first);
  // Afterwards, the copy can be written like any other database.
  const inserted = copy.db.$client
    .prepare("INSERT INTO publish_log (path, created_at) VALUES ('/', 1) RETURNING seq")
    .get();
  expect(inserted).toEqual({ seq: 1_002 });
  copy.db.$client.exec("UPDATE blog_posts SET title = 'A zebra' WHERE published = 1");
  const find = copy.db.$client.prepare(
    "SELECT count(*) FROM blog_search WHERE title MATCH 'zebra'",
  );
  expect(find.pluck().get()).toBeGreaterThan(0);
});

test.each([
  ['a value', "UPDATE rate_limits SET count = 2 WHERE key = 'ä🌳'"],
  ['a type', "UPDATE rate_limits SET key = CAST(key AS BLOB) WHERE key = 'ä🌳'"],
  ['a row', "DELETE FROM rate_limits WHERE key = 'ä🌳'"],
  ['a sequence', 'UPDATE sqlite_sequence SET seq = seq - 1'],
  ['a trigger', 'DROP TRIGGER blog_post_tags_update'],
  ['an index', 'DROP INDEX outbox_due'],
])('a comparison finds that %s differs', async (_, change) => {
  const source = openSource();
  const copy = openCopy();
  await copyDatabase(source, copy, copying);
  copy.db.$client.exec(change);
  expect(() => compareDatabases(source, copy)).toThrow(/^The copy /);
});

test('continues an interrupted copy', async () => {
  const source = openSource();
  const copy = openCopy();
  const interrupted = new AbortController();
  const onRows = () => interrupted.abort();
  const { signal } = interrupted;
  await expect(copyDatabase(source, copy, { signal, onRows })).rejects.toThrow('aborted');
  expect(() => compareDatabases(source, copy)).toThrow('The copy');
  await copyDatabase(source, copy, copying);
  compareDatabases(source, copy);
});

test('a move refuses writes of every process until it ends', async () => {
  const { db, file } = openSource();
  const other = open(file);
  onTestFinished(() => close(other));
  const tables = copiedTables(db.$client).filter(({ name }) => name !== 'blog_search');
  const inserts = tables.map(({ name }) => `INSERT INTO "${name}" SELECT * FROM "${name}" LIMIT 1`);
  const writes = [
    ...inserts,
    ...tables.map(({ name, columns: [column] }) => `UPDATE "${name}" SET "${column}" = NULL`),
    ...tables.map(({ name }) => `DELETE FROM "${name}"`),
    "INSERT OR REPLACE INTO rate_limits (key) VALUES ('largest')",
    "INSERT OR IGNORE INTO rate_limits (key) VALUES ('new')",
    "INSERT INTO rate_limits (key) VALUES ('largest') ON CONFLICT DO UPDATE SET count = 1",
  ];

  await beginMove(db, begun);
  expect(attempts(other, writes)).toEqual(writes.map(() => refused));
  const moving = knownMove(other);
  expect(moving).toEqual({ id: 'one', state: 'moving', other: 'elsewhere', results: 0 });
  await expect(beginMove(other, { ...begun, id: 'two' })).rejects.toThrow('by another command');

  expect(await finishMove(db, { ...moving, results: 1 })).toBe(false);
  expect(await finishMove(db, moving)).toBe(true);
  expect(attempts(other, writes)).toEqual(writes.map(() => refused));
  expect(moveOf(other.$client)).toEqual({ ...moving, state: 'moved' });

  await endMove(db, 'one');
  expect(moveOf(db.$client)).toBeNull();
  expect(attempts(other, ["DELETE FROM rate_limits WHERE key = ''"])).toEqual([null]);
});

test('a move that was killed ends by itself', async () => {
  const { db } = openSource();
  const write = ["UPDATE rate_limits SET count = 3 WHERE key = ''"];
  await beginMove(db, { ...begun, milliseconds: -1 });
  const move = knownMove(db);
  expect(attempts(db, write)).toEqual([null]);
  expect(await finishMove(db, move)).toBe(false);

  await endExpiredMove(db);
  expect(moveOf(db.$client)).toBeNull();
  await beginMove(db, begun);
  await endExpiredMove(db);
  expect(attempts(db, write)).toEqual([refused]);
});

test('stores the results of emails that are being sent, and leases no others', async () => {
  const { db } = openSource();
  const { $client: client } = db;
  client.exec('DELETE FROM outbox');
  const insert = client.prepare(
    "INSERT INTO outbox (id, kind, \"to\", subject, props, state, attempts, next_attempt_at, created_at) VALUES (?, 'k', 'a@example.com', 's', '{}', ?, 1, 1, 1)",
  );
  for (const [id, state] of [
    ['a', 'queued'],
    ['b', 'queued'],
    ['c', 'dead'],
  ])
    insert.run(id, state);
  const result = "UPDATE outbox SET state = 'sent', sent_at = 2 WHERE id = 'a'";
  const lease = client.prepare("UPDATE outbox SET attempts = 2 WHERE id = 'b' RETURNING id");

  await beginMove(db, begun);
  const before = knownMove(db);
  expect(attempts(db, [result])).toEqual([null]);
  expect(lease.all()).toEqual([]);
  expect(attempts(db, ["UPDATE outbox SET state = 'queued' WHERE id = 'c'"])).toEqual([refused]);
  const rows = client.prepare('SELECT id, state, attempts FROM outbox ORDER BY id').raw().all();
  expect(rows).toEqual([
    ['a', 'sent', 1],
    ['b', 'queued', 1],
    ['c', 'dead', 1],
  ]);

  // The result is not in a copy that was made before.
  expect(await finishMove(db, before)).toBe(false);
  expect(await finishMove(db, knownMove(db))).toBe(true);
  expect(attempts(db, ["UPDATE outbox SET state = 'sent' WHERE id = 'b'"])).toEqual([refused]);
});

describeOnServer('on a libSQL server', () => {
  test('copies everything there and back while writes are refused', async () => {
    const source = openSource();
    const { url } = await startTestSqld();
    const file = join(temporaryFolder(), 'replica.db');
    const { db, caughtUp } = await openTestReplica({ url, file });
    migrate(db);
    await caughtUp();
    await copyDatabase(source, { db, file }, copying);
    await caughtUp();
    const moved = compareDatabases(source, { db, file });

    await beginMove(db, begun);
    const write = ["INSERT INTO rate_limits (key) VALUES ('new')"];
    expect(attempts(db, write)).toEqual([refused]);
    expect(() => db.transaction((tx) => tx.delete(rateLimits).run())).toThrow('being moved');
    const back = openCopy();
    await copyDatabase({ db, file }, back, copying);
    expect(compareDatabases({ db, file }, back)).toEqual(moved);
    expect(await finishMove(db, knownMove(db))).toBe(true);
    expect(attempts(db, write)).toEqual([refused]);
    await endMove(db, 'one');
    expect(attempts(db, write)).toEqual([null]);
  });
});
