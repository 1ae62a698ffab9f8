import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from './migrate.ts';
import { close, type Database, open } from './open.ts';
import { serverSecrets as secrets } from './schema/server.ts';
import { sharedCommit } from './shared-commit.ts';
import { unflushed } from './unflushed.ts';

function makeDatabase() {
  const db = open(':memory:');
  onTestFinished(() => close(db));
  migrate(db);
  const insert = (name: string) => db.insert(secrets).values({ name, value: '' });
  const names = async () => (await db.select().from(secrets)).map(({ name }) => name);
  return { db, insert, names };
}

const flushes = ({ $client }: Database) => $client.pragma('synchronous', { simple: true }) === 2;

test('what comes together is one transaction without a flush, in its order', async () => {
  const { db, insert, names } = makeDatabase();
  const done = await Promise.all(
    ['a', 'b', 'c'].map((name) =>
      unflushed(db, () => {
        insert(name).run();
        return { name, flushes: flushes(db), inTransaction: db.$client.inTransaction };
      }),
    ),
  );
  expect(done).toEqual(
    ['a', 'b', 'c'].map((name) => ({ name, flushes: false, inTransaction: true })),
  );
  expect(await names()).toEqual(['a', 'b', 'c']);
});

test('where one fails all do, and what is written afterwards is flushed', async () => {
  const { db, insert, names } = makeDatabase();
  const results = await Promise.allSettled(
    ['a', 'a', 'b'].map((name) => unflushed(db, () => insert(name).run())),
  );
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(await names()).toEqual([]);
  expect(flushes(db)).toBe(true);
});

test('what is stored in the same turn is flushed', async () => {
  const { db, insert, names } = makeDatabase();
  const counting = unflushed(db, () => insert('count').run());
  const found = await sharedCommit(db, (tx) => {
    insert('message').run();
    return tx.select({ mode: sql`synchronous` }).from(sql`pragma_synchronous`).get();
  });
  expect(found).toEqual({ mode: 2 });
  await counting;
  expect(await names()).toEqual(['count', 'message']);
});
