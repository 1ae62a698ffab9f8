import type { Database } from '../open.ts';
import { serverSecrets } from '../schema/server.ts';

/** The names of the rows that tests of replicas write, in order. */
export const namesIn = (db: Pick<Database, 'select'>): string[] =>
  db
    .select()
    .from(serverSecrets)
    .orderBy(serverSecrets.name)
    .all()
    .map(({ name }) => name);
