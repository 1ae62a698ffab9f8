import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../migrate.ts';
import type { Database } from '../open.ts';
import { serverSecrets as secrets } from '../schema/server.ts';
import { namesIn } from '../testing/names-in.ts';
import { describeOnServer } from '../testing/sqld.ts';
import { openTestReplica, startTestSqld, temporaryFolder } from '../testing/test-replica.ts';
import { writeTransaction } from '../write-transaction.ts';

const add = (db: Database, name: string) =>
  writeTransaction(db, (tx) => tx.insert(secrets).values({ name, value: '' }).run());

function stateOf(db: Database): string {
  try {
    const names = namesIn(db);
    return names.length === 6 ? 'before' : (names.at(-1) ?? 'nothing');
  } catch (error) {
    return String(error);
  }
}

/** The server continues from a copy that was made before its last five commits. */
async function restoreOlderCopy(without: readonly string[]) {
  const sqld = await startTestSqld();
  let replacements = 0;
  const replica = await openTestReplica({
    url: sqld.url,
    onReplaced: () => {
      replacements += 1;
    },
  });
  const { db } = replica;
  migrate(db);
  await add(db, 'kept');
  const copy = temporaryFolder();
  await sqld.stopGracefully();
  cpSync(sqld.folder, copy, { recursive: true });
  await sqld.start();
  for (const name of ['lost 1', 'lost 2', 'lost 3', 'lost 4', 'lost 5']) {
    await expect.poll(() => add(db, name).catch(() => null)).not.toBeNull();
  }
  expect(namesIn(db)).toHaveLength(6);
  // A restart can begin a new log, too.
  const before = replacements;

  await sqld.stopGracefully();
  rmSync(sqld.folder, { recursive: true });
  cpSync(copy, sqld.folder, { recursive: true });
  // Outside of tests, restoring takes longer than this.
  await expect.poll(() => replica.failure()).not.toBeNull();
  for (const name of without) rmSync(join(sqld.folder, 'dbs/default', name), { recursive: true });
  await sqld.start();
  return { replica, replacements: () => replacements - before };
}

describeOnServer('a replica', () => {
  test.each([
    ['with its log', []],
    ['without its log, like that of a standby', ['wallog', 'to_compact']],
  ])('follows a server that was restored from an older copy %s', async (_what, without) => {
    const { replica, replacements } = await restoreOlderCopy(without);
    const { db } = replica;
    const seen = new Set<string>();
    const reading = setInterval(() => seen.add(stateOf(db)), 1);
    onTestFinished(() => clearInterval(reading));

    await expect.poll(() => namesIn(db)).toEqual(['kept']);
    await expect.poll(() => add(db, 'new').catch(() => null)).not.toBeNull();
    expect(namesIn(db)).toEqual(['kept', 'new']);
    expect([...seen]).toEqual(expect.arrayContaining(['before', 'kept']));
    expect([...seen.difference(new Set(['before', 'kept', 'new']))]).toEqual([]);
    expect(replacements()).toBe(1);
    expect(replica.failure()).toBeNull();
    expect(db.$client.pragma('integrity_check', { simple: true })).toBe('ok');
  });
});
