import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { MigrationFailed, migrate, pendingMigrations } from '../migrate.ts';
import { isFullRun } from '../testing/full-run.ts';
import { migrationTags, nextMigrations } from '../testing/other-versions.ts';
import { describeOnServer } from '../testing/sqld.ts';
import { openTestReplica, startTestSqld, temporaryFolder } from '../testing/test-replica.ts';

const urlOf = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);

describeOnServer('migrations on a libSQL server', () => {
  test.runIf(isFullRun)(
    'are applied by only one of two servers that start at the same time',
    async () => {
      const { url } = await startTestSqld();
      const script = `
      import { migrate } from ${urlOf('../migrate.ts')};
      import { openPrimary } from ${urlOf('./open-replica.ts')};
      const { db } = await openPrimary({ url: ${JSON.stringify(url)} });
      process.stdin.once('data', () => {
        const migrated = migrate(db);
        const tables = db.$client.prepare('SELECT count(*) FROM sqlite_schema').pluck().get();
        process.stdout.write(JSON.stringify([migrated, tables]));
        process.exit();
      });
      process.stderr.write('ready');
    `;
      const start = async () => {
        const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
        onTestFinished(() => void child.kill());
        await once(child.stderr, 'data');
        return child;
      };
      const processes = await Promise.all([start(), start()]);
      const printed = processes.map(({ stdout }) => text(stdout));
      for (const { stdin } of processes) stdin.write('go');
      const results = (await Promise.all(printed)).map((line) => JSON.parse(line) as number[]);
      expect(results.map(([migrated]) => migrated).sort()).toEqual([0, migrationTags.length]);
      expect(results[0]?.[1]).toBeGreaterThan(50);
      expect(results[0]?.[1]).toBe(results[1]?.[1]);
    },
  );

  test('that fail change nothing, and foreign keys are enforced before and after', async () => {
    const { url } = await startTestSqld();
    const replica = await openTestReplica({ url });
    const { $client: client } = replica.db;
    const next = (statements: string): string =>
      nextMigrations(join(temporaryFolder(), 'migrations'), statements);
    const orphan = () => client.exec("INSERT INTO profiles (id, updated_at) VALUES ('nobody', 1)");
    const schema = () => client.prepare('SELECT sql FROM sqlite_schema').pluck().all();
    expect(migrate(replica.db)).toBe(migrationTags.length);
    client.exec(`
      INSERT INTO users (id, email, created_at) VALUES ('u', 'ann@example.com', 1);
      INSERT INTO profiles (id, updated_at) VALUES ('u', 1);
    `);
    await replica.caughtUp();
    const before = schema();
    expect(orphan).toThrow('FOREIGN KEY');

    const failing = next('CREATE TABLE half (id);\n--> statement-breakpoint\nDROP TABLE missing;');
    expect(() => migrate(replica.db, failing)).toThrow(MigrationFailed);
    const orphaning = next("DELETE FROM users WHERE id = 'u'");
    expect(() => migrate(replica.db, orphaning)).toThrow('would violate foreign keys');
    await replica.caughtUp();
    expect(schema()).toEqual(before);
    expect(orphan).toThrow('FOREIGN KEY');

    // Rebuilds a table that others refer to.
    const rebuilding = next(
      [
        'CREATE TABLE new_users AS SELECT * FROM users',
        'DROP TABLE users',
        'CREATE TABLE users (id text PRIMARY KEY, email text, created_at integer)',
        'INSERT INTO users SELECT id, email, created_at FROM new_users',
        'DROP TABLE new_users',
      ].join(';\n--> statement-breakpoint\n'),
    );
    expect(migrate(replica.db, rebuilding)).toBe(1);
    await replica.caughtUp();
    expect(client.prepare('SELECT id FROM profiles').pluck().all()).toEqual(['u']);
    expect(pendingMigrations(replica.db, rebuilding).pending).toBe(0);
    expect(() => migrate(replica.db)).toThrow(/newer version/);
    expect(orphan).toThrow('FOREIGN KEY');
  });
});
