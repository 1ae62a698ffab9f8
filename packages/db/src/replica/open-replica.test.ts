import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { dataVersion } from '../data-version.ts';
import { migrate } from '../migrate.ts';
import type { Database } from '../open.ts';
import { serverSecrets as secrets } from '../schema/server.ts';
import { storageFailureOf } from '../storage-failure.ts';
import { isFullRun } from '../testing/full-run.ts';
import { namesIn } from '../testing/names-in.ts';
import { describeOnServer } from '../testing/sqld.ts';
import {
  openTestReplica,
  startTestSqld,
  temporaryFolder,
  useReplica,
} from '../testing/test-replica.ts';
import { writeIfPossible, writeTransaction } from '../write-transaction.ts';
import { openPrimary, openReplica } from './open-replica.ts';

const add = (db: Pick<Database, 'insert'>, name: string, value = '') =>
  db.insert(secrets).values({ name, value }).run();

function failureOf(work: () => unknown): unknown {
  try {
    work();
    return null;
  } catch (error) {
    return storageFailureOf(error);
  }
}

const hour = 60 * 60 * 1_000;

/** @param offset in milliseconds */
function moveClock(offset: number): void {
  const now = Date.now.bind(Date);
  const moved = vi.spyOn(Date, 'now').mockImplementation(() => now() + offset);
  onTestFinished(() => void moved.mockRestore());
}

describeOnServer('a replica', () => {
  const used = useReplica();

  test('receives what others commit, and reports it', async () => {
    const { db, sqld } = used;
    let changes = 0;
    const other = await openTestReplica({ url: sqld.url, onChange: () => (changes += 1) });
    const before = { changes, version: dataVersion(other.db) };
    expect(dataVersion(other.db)).toBe(before.version);
    add(db, 'a');
    await expect.poll(() => namesIn(other.db)).toEqual(['a']);
    // The process that syncs the file reports the change after writing it.
    await expect.poll(() => changes).toBeGreaterThan(before.changes);
    expect(dataVersion(other.db)).not.toBe(before.version);
  });

  test('has only one process that writes its file', async () => {
    const options = { url: used.sqld.url, file: join(used.folder, 'replica.db') };
    await expect(openReplica(options)).rejects.toThrow('Another process uses the replica');
  });

  test('cannot be used after it was closed', async () => {
    const { db, close } = await openTestReplica({ url: used.sqld.url });
    const read = db.$client.prepare('SELECT 1');
    await close();
    const uses = [
      () => read.get(),
      () => namesIn(db),
      () => add(db, 'late'),
      () => db.transaction((tx) => add(tx, 'late'), { behavior: 'immediate' }),
      () => dataVersion(db),
    ];
    for (const use of uses) expect(use).toThrow('The database connection is not open');
    const written = writeTransaction(db, (tx) => add(tx, 'late'));
    await expect(written).rejects.toThrow('The database connection is not open');
    expect(namesIn(used.db)).toEqual([]);
  });

  test('is not needed for commands', async () => {
    const { db, close } = await openPrimary({ url: used.sqld.url });
    try {
      await writeTransaction(db, (tx) => add(tx, 'a'));
      add(db, 'b');
      expect(namesIn(db)).toEqual(['a', 'b']);
      expect(db.transaction(namesIn)).toEqual(['a', 'b']);
      expect(db.$client.pragma('foreign_keys', { simple: true })).toBe(1);
      expect(() => db.$client.prepare('SELECT * FROM missing').get()).toThrow('no such table');
      expect(migrate(db)).toBe(0);
    } finally {
      await close();
    }
  });

  test('refuses writes with the reason while the server’s operator blocks them', async () => {
    const { db, replica, sqld } = used;
    await sqld.configure({ block_writes: true, block_reason: 'moving' });
    try {
      expect(() => add(db, 'a')).toThrow('moving');
      expect(failureOf(() => add(db, 'a'))).toBe('read-only');
      const attempt = writeTransaction(db, (tx) => add(tx, 'a'));
      await expect(attempt).rejects.toMatchObject({ code: 'SQLITE_READONLY' });
    } finally {
      await sqld.configure({});
    }
    add(db, 'b');
    await replica.caughtUp();
    expect(namesIn(db)).toEqual(['b']);
  });

  test('can be read while the server hangs, and recovers by itself', async () => {
    const { db, replica, sqld } = used;
    await writeTransaction(db, (tx) => add(tx, 'a'));
    sqld.pause();
    try {
      // A text of this size gets half a second more.
      expect(() => add(db, 'b', 'x'.repeat(500_000))).toThrow('no answer within 2500 ms');
      // This fails at once, because the failure is known.
      expect(failureOf(() => add(db, 'c'))).toBe('unavailable');
      const attempt = writeTransaction(db, (tx) => add(tx, 'd'));
      await expect(attempt).rejects.toThrow('no answer within 2500 ms');
      writeIfPossible(() => add(db, 'e'));
      expect(namesIn(db)).toEqual(['a']);
      expect(replica.failure()?.message).toContain('does not answer');
    } finally {
      sqld.resume();
    }
    await expect.poll(() => replica.failure()).toBeNull();
    // The server may have stored what it had received.
    await writeTransaction(db, (tx) => tx.delete(secrets).run());
    await writeTransaction(db, (tx) => add(tx, 'f'));
    expect(namesIn(db)).toEqual(['f']);
  });

  test.runIf(isFullRun)('a commit whose reply does not arrive fails as unavailable', async () => {
    const { db, replica, sqld } = used;
    const attempt = writeTransaction(db, (tx) => {
      add(tx, 'a');
      sqld.pause();
    });
    await expect(attempt).rejects.toMatchObject({ code: 'PRIMARY_UNAVAILABLE' });
    sqld.resume();
    await expect.poll(() => replica.failure()).toBeNull();
  });
});

describeOnServer('opening a replica', () => {
  test('requires a server that flushes commits', async () => {
    const sqld = await startTestSqld({ durability: 'relaxed' });
    const file = join(temporaryFolder(), 'replica.db');
    await expect(openReplica({ url: sqld.url, file })).rejects.toThrow(
      /before they are on its disk.*, then run:\n {2}curl .*"durability_mode":"strong"/,
    );
    await sqld.configure({ durability_mode: 'strong' });
    const replica = await openTestReplica({ url: sqld.url, file });
    // A server that is restarted is checked again.
    await sqld.kill();
    expect(() => replica.db.$client.exec('CREATE TABLE a (b)')).toThrow('does not answer');
    await sqld.start();
    await sqld.configure({ durability_mode: 'relaxed' });
    await expect.poll(() => replica.failure()?.message).toContain('before they are on its disk');
    await sqld.configure({ durability_mode: 'strong' });
    await expect.poll(() => replica.failure()).toBeNull();
  });

  test.runIf(isFullRun)(
    'notices a server that was restarted while nothing was written',
    async () => {
      const sqld = await startTestSqld();
      const replica = await openTestReplica({ url: sqld.url });
      replica.db.$client.exec('CREATE TABLE a (b)');
      await sqld.kill();
      await sqld.start();
      await sqld.configure({ durability_mode: 'relaxed' });
      await expect.poll(() => replica.failure()?.message).toContain('before they are on its disk');
      expect(failureOf(() => replica.db.$client.exec('CREATE TABLE c (d)'))).toBe('unavailable');
    },
  );

  test('requires the server or the copy of an earlier start', async () => {
    const sqld = await startTestSqld();
    const file = join(temporaryFolder(), 'replica.db');
    const first = await openReplica({ url: sqld.url, file });
    migrate(first.db);
    await writeTransaction(first.db, (tx) => add(tx, 'a'));
    await first.close();
    await sqld.kill();

    const elsewhere = join(temporaryFolder(), 'replica.db');
    await expect(openReplica({ url: sqld.url, file: elsewhere })).rejects.toMatchObject({
      code: 'PRIMARY_UNAVAILABLE',
    });
    const failures: Error[] = [];
    const second = await openTestReplica({
      ...{ url: sqld.url, file, catchUpTimeout: 100 },
      onFailure: (failure) => failures.push(failure),
    });
    expect(namesIn(second.db)).toEqual(['a']);
    expect(migrate(second.db)).toBe(0);
    expect(failureOf(() => add(second.db, 'b'))).toBe('unavailable');
    expect(await second.caughtUp()).toBe(false);

    await sqld.start();
    await expect.poll(() => second.failure()).toBeNull();
    await writeTransaction(second.db, (tx) => add(tx, 'c'));
    // The write waits for the replica for 100 ms at most.
    await expect.poll(() => namesIn(second.db)).toEqual(['a', 'c']);
    // Once for the primary, and once for the sync if that has noticed it.
    expect([1, 2]).toContain(failures.length);
  });

  test('is unavailable when the server goes away before the first sync', async () => {
    const sqld = await startTestSqld();
    // Answers statements, but no requests of a sync.
    const halfway = createServer(async (request, response) => {
      if (!request.url?.startsWith('/v3/')) return request.socket.destroy();
      const body = await text(request);
      const answer = await fetch(sqld.url + request.url, { method: 'POST', body });
      return response.end(await answer.text());
    });
    halfway.listen(0, '127.0.0.1');
    onTestFinished(() => void halfway.close());
    await once(halfway, 'listening');
    const { port } = halfway.address() as AddressInfo;
    const options = {
      url: `http://localhost:${port}`,
      file: join(temporaryFolder(), 'replica.db'),
    };
    const failure = await openReplica(options).catch((error: unknown) => error);
    expect(String(failure)).toContain('cannot be synced');
    expect(storageFailureOf(failure)).toBe('unavailable');
  });

  test.runIf(isFullRun)('requires the server’s token', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const tokenKey = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const { url } = await startTestSqld({ tokenKey });
    const file = join(temporaryFolder(), 'replica.db');
    await expect(openReplica({ url, file })).rejects.toThrow('refuses the token');

    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    const unsigned = `${encode({ alg: 'EdDSA', typ: 'JWT' })}.${encode({ a: 'rw' })}`;
    const signature = sign(null, Buffer.from(unsigned), privateKey).toString('base64url');
    const { db } = await openTestReplica({ url, file, authToken: `${unsigned}.${signature}` });
    migrate(db);
    await writeTransaction(db, (tx) => add(tx, 'a'));
    expect(namesIn(db)).toEqual(['a']);
  });
});

describeOnServer('the clock of the database server', () => {
  test.each([-hour, hour])('is compared with a clock that is %i ms off', async (offset) => {
    const sqld = await startTestSqld();
    moveClock(offset);
    const replica = await openTestReplica(sqld);
    const primary = await openPrimary(sqld);
    onTestFinished(primary.close);
    for (const { clockOffset } of [replica, primary]) {
      expect(Math.abs(clockOffset() + offset)).toBeLessThan(hour / 2);
    }

    vi.mocked(Date.now).mockRestore();
    // It is compared again after the server was down.
    await sqld.kill();
    await expect.poll(replica.failure).not.toBeNull();
    await sqld.start();
    await expect.poll(replica.clockOffset).toBe(0);
  });

  test('counts as right if it differs by less than a second', async () => {
    moveClock(300);
    const replica = await openTestReplica(await startTestSqld());
    expect(replica.clockOffset()).toBe(0);
  });
});
