import { eq, sql } from 'drizzle-orm';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../open.ts';
import { serverSecrets as secrets } from '../schema/server.ts';
import { sharedCommit } from '../shared-commit.ts';
import { namesIn } from '../testing/names-in.ts';
import { openRawStream } from '../testing/raw-stream.ts';
import { describeOnServer } from '../testing/sqld.ts';
import { openTestReplica, useReplica } from '../testing/test-replica.ts';
import { writeTransaction } from '../write-transaction.ts';

const add = (db: Pick<Database, 'insert'>, name: string, value = '') =>
  db.insert(secrets).values({ name, value }).run();

const isTwice = 'UNIQUE constraint failed: server_secrets.name';

const immediate = { behavior: 'immediate' } as const;

describeOnServer('a transaction on a libSQL server', () => {
  const used = useReplica();
  const namesOnPrimary = (): string[] => used.db.transaction(namesIn, immediate);

  test('reads what it and others have written, at once', async () => {
    const { db, sqld } = used;
    // Its replica syncs too rarely to matter.
    const late = await openTestReplica({ url: sqld.url, syncInterval: 3_600_000 });
    add(db, 'of another server');
    const find = late.db
      .select()
      .from(secrets)
      .where(eq(secrets.name, sql.placeholder('name')))
      .prepare();
    expect(find.get({ name: 'of another server' })).toBeUndefined();

    late.db.transaction((tx) => {
      expect(find.get({ name: 'of another server' })).toBeDefined();
      add(tx, 'own');
      expect(find.get({ name: 'own' })).toBeDefined();
      expect(late.db.$client.inTransaction).toBe(true);
    }, immediate);

    expect(late.db.$client.inTransaction).toBe(false);
    expect(find.get({ name: 'own' })).toBeUndefined();
    expect(namesOnPrimary()).toEqual(['of another server', 'own']);
  });

  test('can be read when its promise resolves', async () => {
    const { db } = used;
    for (let n = 0; n < 10; n += 1) {
      await writeTransaction(db, (tx) => add(tx, `a${n}`));
      expect(namesIn(db)).toHaveLength(2 * n + 1);
      await sharedCommit(db, (tx) => add(tx, `b${n}`));
      expect(namesIn(db)).toHaveLength(2 * n + 2);
    }
  });

  test('is rolled back by an error, and so is a nested one alone', () => {
    const { db } = used;
    const failed = new Error('failed');
    const addAndFail = (tx: Pick<Database, 'insert'>, name: string) => {
      add(tx, name);
      throw failed;
    };
    expect(() => db.transaction((tx) => addAndFail(tx, 'a'), immediate)).toThrow(failed);
    db.transaction((tx) => {
      add(tx, 'b');
      expect(() => tx.transaction((inner) => addAndFail(inner, 'c'))).toThrow(failed);
      expect(() => db.$client.transaction(() => addAndFail(tx, 'd'))()).toThrow(failed);
      db.$client.transaction(() => add(tx, 'e'))();
      expect(() => db.$client.transaction(() => add(tx, 'b'))()).toThrow(isTwice);
      expect(() => db.$client.transaction(() => undefined)()).not.toThrow();
    }, immediate);
    expect(namesOnPrimary()).toEqual(['b', 'e']);
    expect(() => db.transaction((async () => add(db, 'f')) as never, immediate)).toThrow(
      'cannot return a promise',
    );
    expect(namesOnPrimary()).toEqual(['b', 'e']);
  });

  describe('an error of a write', () => {
    test('is thrown when its result or anything else is read', () => {
      const { db } = used;
      db.transaction((tx) => {
        expect(add(tx, 'a')).toEqual({ changes: 1, lastInsertRowid: 1 });
        const twice = add(tx, 'a');
        expect(() => twice.changes).toThrow(isTwice);
        expect(() => twice.lastInsertRowid).toThrow('not executed');
        add(tx, 'a');
        expect(() => namesIn(tx)).toThrow(isTwice);
        expect(namesIn(tx)).toEqual(['a']);
      }, immediate);
      expect(namesOnPrimary()).toEqual(['a']);
    });

    test('is thrown at the end of the transaction, and nothing is stored', async () => {
      const { db } = used;
      const twice = (tx: Pick<Database, 'insert'>) => [add(tx, 'a'), add(tx, 'a'), add(tx, 'b')];
      expect(() => db.transaction(twice, immediate)).toThrow(isTwice);
      expect(() => db.transaction(twice)).toThrow(isTwice);
      await expect(writeTransaction(db, twice)).rejects.toThrow(isTwice);
      await expect(sharedCommit(db, twice)).rejects.toThrow(isTwice);
      expect(namesOnPrimary()).toEqual([]);
      await writeTransaction(db, (tx) => add(tx, 'c'));
      expect(namesOnPrimary()).toEqual(['c']);
    });

    test('is thrown in the nested transaction of the write', () => {
      const { db } = used;
      db.transaction((tx) => {
        add(tx, 'a');
        const thrice = (inner: Pick<Database, 'insert'>) =>
          ['b', 'a', 'c'].map((name) => add(inner, name));
        // Drizzle wraps what ending a savepoint throws.
        expect(() => tx.transaction(thrice)).toThrow(
          expect.objectContaining({ cause: expect.objectContaining({ message: isTwice }) }),
        );
        expect(() => db.$client.transaction(() => thrice(tx))()).toThrow(isTwice);
        const fail = () => {
          throw new Error('failed');
        };
        // Writes before such an error are not sent.
        expect(() => tx.transaction((inner) => [thrice(inner), fail()])).toThrow('failed');
        expect(() => db.$client.transaction(() => [thrice(tx), fail()])()).toThrow('failed');
        add(tx, 'd');
      }, immediate);
      expect(() =>
        db.transaction((tx) => {
          add(tx, 'a');
          // This is the error of the outer write.
          expect(() => db.$client.transaction(() => add(tx, 'e'))()).toThrow(isTwice);
          add(tx, 'f');
          tx.transaction((inner) => add(inner, 'g'));
        }, immediate),
      ).not.toThrow();
      expect(namesOnPrimary()).toEqual(['a', 'd', 'f', 'g']);
    });

    test('rejects one of several in a shared commit', async () => {
      const { db } = used;
      const results = await Promise.allSettled(
        ['a', 'b', 'a', 'c'].map((name) => sharedCommit(db, (tx) => add(tx, name).changes)),
      );
      const statuses = results.map(({ status }) => status);
      expect(statuses).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
      expect(namesOnPrimary()).toEqual(['a', 'b', 'c']);
    });
  });

  test('sends thousands of writes, or large ones, in parts', async () => {
    const { db } = used;
    const names = Array.from({ length: 1_234 }, (_, n) => `${10_000 + n}`);
    await writeTransaction(db, (tx) => names.map((name) => add(tx, name)));
    const large = 'x'.repeat(3_000_000);
    await writeTransaction(db, (tx) => ['a', 'b', 'c'].map((name) => add(tx, name, large)));
    expect(namesIn(db)).toEqual([...names, 'a', 'b', 'c']);
  });

  test('does not send queued writes after an error', () => {
    const { db } = used;
    let late: { changes: number } | undefined;
    expect(() =>
      db.transaction((tx) => {
        late = add(tx, 'a');
        throw new Error('failed');
      }, immediate),
    ).toThrow('failed');
    expect(() => late?.changes).toThrow('the transaction has ended');
    expect(namesOnPrimary()).toEqual([]);
  });

  test('stores nothing more after an error that ends it', () => {
    const { db } = used;
    db.$client.exec(
      "CREATE TRIGGER full BEFORE INSERT ON server_secrets WHEN NEW.name = 'b' BEGIN SELECT RAISE(ROLLBACK, 'no space'); END",
    );
    onTestFinished(() => void db.$client.exec('DROP TRIGGER full'));
    const work = () =>
      db.transaction((tx) => {
        add(tx, 'a');
        const full = add(tx, 'b');
        expect(() => full.changes).toThrow('no space');
        expect(db.$client.inTransaction).toBe(false);
        add(tx, 'c');
      }, immediate);
    expect(work).toThrow('no space');
    expect(namesOnPrimary()).toEqual([]);
  });

  test('without a behavior, reads one state of the replica, and can only write before it reads', async () => {
    const { db } = used;
    await writeTransaction(db, (tx) => add(tx, 'a'));
    const version = db.transaction((tx) => {
      expect(namesIn(tx)).toEqual(['a']);
      expect(() => add(tx, 'b')).toThrow(expect.objectContaining({ code: 'SQLITE_BUSY_SNAPSHOT' }));
      return db.$client.inTransaction;
    });
    expect(version).toBe(true);
    db.transaction((tx) => {
      add(tx, 'c');
      expect(namesIn(tx)).toEqual(['a', 'c']);
    });
    expect(() =>
      db.transaction((tx) => {
        add(tx, 'd');
        throw new Error('failed');
      }),
    ).toThrow('failed');
    expect(namesOnPrimary()).toEqual(['a', 'c']);
  });

  test('waits for another server’s without blocking the thread', async () => {
    const { db, sqld } = used;
    const other = openRawStream(sqld.url);
    await other.execute('BEGIN IMMEDIATE');
    const writes = ['a', 'b', 'c'].map((name) => writeTransaction(db, (tx) => add(tx, name)));
    const { promise, resolve } = Promise.withResolvers<void>();
    let ticks = 0;
    const ticking = setInterval(() => {
      ticks += 1;
      if (ticks === 20) resolve();
    }, 5);
    await promise;
    clearInterval(ticking);
    expect(namesIn(db)).toEqual([]);
    await other.execute('COMMIT');
    await Promise.all(writes);
    expect(namesIn(db)).toEqual(['a', 'b', 'c']);
  });

  test('lets a synchronous write go before one that waits for the lock', async () => {
    const { db } = used;
    const waiting = writeTransaction(db, (tx) => [add(tx, 'b'), namesIn(tx)] as const);
    // Requests the lock, which this thread then has without having read the reply.
    await new Promise(setImmediate);
    add(db, 'a');
    db.transaction((tx) => add(tx, 'c'), immediate);
    db.$client.exec("INSERT INTO server_secrets VALUES ('d', '')");
    expect(namesOnPrimary()).toEqual(['a', 'c', 'd']);
    expect((await waiting)[1]).toEqual(['a', 'b', 'c', 'd']);
    expect(namesIn(db)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('counts all increments of several servers', async () => {
    const { db, replica, sqld } = used;
    add(db, 'count', '0');
    const others = [
      await openTestReplica({ url: sqld.url }),
      await openTestReplica({ url: sqld.url }),
    ];
    const increment = (tx: Pick<Database, 'select' | 'update'>) => {
      const count = Number(tx.select().from(secrets).get()?.value);
      tx.update(secrets)
        .set({ value: String(count + 1) })
        .run();
    };
    const writes = [replica, ...others].flatMap((each) =>
      Array.from({ length: 20 }, (_, n) =>
        n % 2 === 0 ? writeTransaction(each.db, increment) : sharedCommit(each.db, increment),
      ),
    );
    for (const each of others) each.db.transaction(increment, immediate);
    await Promise.all(writes);
    const count = db.transaction((tx) => tx.select().from(secrets).get()?.value, immediate);
    expect(count).toBe('62');
  });

  test('stores nothing if the server restarts before its commit, and the next one works', async () => {
    const { db, replica, sqld } = used;
    const attempt = writeTransaction(db, (tx) => {
      add(tx, 'a');
      // Not `sqld.kill`, because this function must be synchronous.
      process.kill(sqld.pid(), 'SIGKILL');
      add(tx, 'b');
    });
    await expect(attempt).rejects.toMatchObject({ code: 'PRIMARY_UNAVAILABLE' });
    expect(() => add(db, 'c')).toThrow(/does not answer/);
    await sqld.kill();
    await sqld.start();
    await expect.poll(() => replica.failure()).toBeNull();
    await writeTransaction(db, (tx) => add(tx, 'd'));
    expect(namesIn(db)).toEqual(['d']);
  });

  test('refuses a text that is too large for the server, and continues', async () => {
    const { db, replica } = used;
    const refused = Promise.try(() => add(db, 'a', 'x'.repeat(7_000_000)));
    await expect(refused).rejects.toMatchObject({ code: 'SQLITE_TOOBIG' });
    expect(replica.failure()).toBeNull();
    await writeTransaction(db, (tx) => add(tx, 'b', 'x'.repeat(3_000_000)));
    expect(namesIn(db)).toEqual(['b']);
  });

  test('cannot change settings of a connection, and scripts are atomic', () => {
    const { db } = used;
    expect(() => db.$client.pragma('query_only = ON')).toThrow('does not support');
    expect(() =>
      db.$client.exec(
        "INSERT INTO server_secrets VALUES ('a', ''); INSERT INTO missing VALUES (1)",
      ),
    ).toThrow('no such table');
    expect(namesOnPrimary()).toEqual([]);
  });
});
