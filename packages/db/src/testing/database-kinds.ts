import { onTestFinished } from 'vitest';
import { migrate } from '../migrate.ts';
import { close, type Database, open } from '../open.ts';
import { openPrimary } from '../replica/open-replica.ts';
import { hasSqld } from './sqld.ts';
import { startTestSqld } from './test-replica.ts';

const kinds = ['a file', 'a libSQL server'] as const;

/** For tests that must pass wherever the database is. Without the server where it does not run. */
export const databaseKinds = kinds.filter((kind) => kind === 'a file' || hasSqld);

/** Opens a migrated database, which is closed after the test. */
export async function openTestDatabaseOn(kind: (typeof kinds)[number]): Promise<Database> {
  if (kind === 'a file') {
    const db = open(':memory:');
    onTestFinished(() => close(db));
    migrate(db);
    return db;
  }
  const { url } = await startTestSqld();
  const { db, close: end } = await openPrimary({ url });
  onTestFinished(end);
  migrate(db);
  return db;
}
