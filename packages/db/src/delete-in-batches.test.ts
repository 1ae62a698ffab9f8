import { like } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { deleteInBatches } from './delete-in-batches.ts';
import { serverSecrets as secrets } from './schema/server.ts';
import { databaseKinds, openTestDatabaseOn } from './testing/database-kinds.ts';

test.each(databaseKinds)(
  'on %s, deletes exactly the matching rows, and lets other work run in between',
  async (kind) => {
    const db = await openTestDatabaseOn(kind);
    const names = [...Array(1_200).keys()].map(
      (n) => `${n % 2 === 0 || n < 700 ? 'old' : 'new'}-${n}`,
    );
    db.insert(secrets)
      .values(names.map((name) => ({ name, value: '' })))
      .run();

    const seen: number[] = [];
    let looking: NodeJS.Immediate;
    const look = () => {
      seen.push(db.select().from(secrets).all().length);
      looking = setImmediate(look);
    };
    looking = setImmediate(look);
    await deleteInBatches(db, secrets, like(secrets.name, 'old-%'));
    clearImmediate(looking);

    const remaining = names.filter((name) => name.startsWith('new'));
    expect(
      db
        .select()
        .from(secrets)
        .all()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(remaining.sort());
    expect(seen).toContain(700);
  },
);
