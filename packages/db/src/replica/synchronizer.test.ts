import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '../open.ts';
import { serverSecrets as secrets } from '../schema/server.ts';
import { childrenWith, isRunning } from '../testing/child-processes.ts';
import { isFullRun } from '../testing/full-run.ts';
import { namesIn } from '../testing/names-in.ts';
import { describeOnServer } from '../testing/sqld.ts';
import { openTestReplica, temporaryFolder, useReplica } from '../testing/test-replica.ts';
import { findWritten, readCurrent, writeTransaction } from '../write-transaction.ts';
import { openReplica } from './open-replica.ts';

const program = 'sync-process';

const add = (db: Database, name: string) =>
  writeTransaction(db, (tx) => tx.insert(secrets).values({ name, value: '' }).run());

describeOnServer('the process that syncs a replica', () => {
  const used = useReplica();

  test('is replaced when it is killed', async () => {
    const { db } = used;
    const [killed = 0] = childrenWith(program);
    process.kill(killed, 'SIGKILL');
    await expect.poll(() => isRunning(killed)).toBe(false);
    // The write may become visible later, but it is never lost.
    await add(db, 'a');
    await expect.poll(() => namesIn(db)).toEqual(['a']);
    expect(childrenWith(program)).toHaveLength(1);
  });

  test.runIf(isFullRun)('is replaced when it hangs', async () => {
    const { db } = used;
    const [hung = 0] = childrenWith(program);
    process.kill(hung, 'SIGSTOP');
    await add(db, 'a');
    await expect.poll(() => namesIn(db)).toEqual(['a']);
    expect(isRunning(hung)).toBe(false);
  });

  test('is not waited for to find what was just written', async () => {
    const others = childrenWith(program);
    const { db } = await openTestReplica({ url: used.sqld.url, catchUpTimeout: 100 });
    const [own = 0] = childrenWith(program).filter((child) => !others.includes(child));
    const find = (name: string) =>
      findWritten(db, () => db.select().from(secrets).where(eq(secrets.name, name)).get());
    process.kill(own, 'SIGSTOP');
    await add(db, 'a');
    expect(namesIn(db)).toEqual([]);
    expect(await find('a')).toMatchObject({ name: 'a' });
    expect(await find('b')).toBeUndefined();

    // It may have been replaced.
    if (isRunning(own)) process.kill(own, 'SIGKILL');
    await expect.poll(() => namesIn(db)).toEqual(['a']);
  });

  test('is not waited for by a request that needs what another server wrote', async () => {
    const others = childrenWith(program);
    const { db } = await openTestReplica({ url: used.sqld.url });
    const [own = 0] = childrenWith(program).filter((child) => !others.includes(child));
    const find = (name: string) => () =>
      db.select().from(secrets).where(eq(secrets.name, name)).get();
    const findCurrent = (name: string) =>
      readCurrent(db, find(name), (found) => found !== undefined);
    process.kill(own, 'SIGSTOP');
    await add(used.db, 'a');
    expect(await findWritten(db, find('a'))).toBeUndefined();
    expect(await findCurrent('a')).toMatchObject({ name: 'a' });
    expect(await findCurrent('b')).toBeUndefined();

    used.sqld.pause();
    onTestFinished(() => void used.sqld.resume());
    await expect(findCurrent('b')).rejects.toThrow();
  });

  test('replaces a damaged replica, which is read from then on', async () => {
    const { db, folder } = used;
    await add(db, 'a');
    const file = join(folder, 'replica.db');
    const before = statSync(file).ino;
    const [killed = 0] = childrenWith(program);
    process.kill(killed, 'SIGSTOP');
    writeFileSync(file, Buffer.alloc(8_192, 'not a database'));
    writeFileSync(`${file}-client_wal_index`, Buffer.alloc(32, 'x'));
    rmSync(`${file}-wal`);
    process.kill(killed, 'SIGKILL');
    await add(db, 'b');
    await expect.poll(() => namesIn(db)).toEqual(['a', 'b']);
    await add(db, 'c');
    expect(namesIn(db)).toEqual(['a', 'b', 'c']);
    expect(statSync(file).ino).not.toBe(before);
    expect(db.$client.pragma('integrity_check', { simple: true })).toBe('ok');
  });

  test('ends when its parent is killed, even while the server hangs', async () => {
    const { sqld } = used;
    const file = join(temporaryFolder(), 'replica.db');
    const script = `
      import { openReplica } from ${JSON.stringify(new URL('./open-replica.ts', import.meta.url).href)};
      await openReplica({ url: ${JSON.stringify(sqld.url)}, file: ${JSON.stringify(file)} });
      process.stdout.write('open');
    `;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script]);
    onTestFinished(() => void parent.kill('SIGKILL'));
    await once(parent.stdout, 'data');
    const [child = 0] = childrenWith(program, parent.pid);
    expect(isRunning(child)).toBe(true);
    sqld.pause();
    onTestFinished(() => void sqld.resume());
    parent.kill('SIGKILL');
    await expect.poll(() => isRunning(child)).toBe(false);
    expect(existsSync(file)).toBe(true);
  });

  test.runIf(isFullRun).each(['', 'not a database'.repeat(1_000)])(
    'replaces a file that is not a replica (%#)',
    async (contents) => {
      const { db, sqld } = used;
      await add(db, 'a');
      const file = join(temporaryFolder(), 'replica.db');
      writeFileSync(file, contents);
      writeFileSync(`${file}-client_wal_index`, Buffer.alloc(32, 'x'));
      const replica = await openReplica({ url: sqld.url, file });
      onTestFinished(() => replica.close());
      expect(namesIn(replica.db)).toEqual(['a']);
    },
  );
});
