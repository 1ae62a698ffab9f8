import { eq, sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { atomic } from './atomic.ts';
import { migrate } from './migrate.ts';
import { close, open } from './open.ts';
import { newsletterSubscriptions as subscriptions } from './schema/newsletter.ts';

function makeDatabase() {
  const db = open(':memory:');
  onTestFinished(() => close(db));
  migrate(db);
  return db;
}

const ann = { id: '1', email: 'ann@example.com', createdAt: 1 };
const bob = { id: '2', email: 'bob@example.com', createdAt: 2 };

test('all statements take effect, and each gives its rows', async () => {
  const db = makeDatabase();

  const [inserted, updated] = await atomic(db, [
    db.insert(subscriptions).values([ann, bob]).returning(),
    db
      .update(subscriptions)
      .set({ createdAt: sql`${subscriptions.createdAt} + 10` })
      .where(eq(subscriptions.id, '2'))
      .returning({ createdAt: subscriptions.createdAt }),
  ]);

  expect(inserted).toMatchObject([ann, bob]);
  expect(updated).toEqual([{ createdAt: 12 }]);
  expect(await db.select().from(subscriptions)).toMatchObject([ann, { ...bob, createdAt: 12 }]);
});

test('a statement sees what the one before it did', async () => {
  const db = makeDatabase();
  const [, , found] = await atomic(db, [
    db.insert(subscriptions).values(ann),
    db.update(subscriptions).set({ createdAt: 5 }).where(eq(subscriptions.id, '1')),
    db.select({ createdAt: subscriptions.createdAt }).from(subscriptions),
  ]);
  expect(found).toEqual([{ createdAt: 5 }]);
});

test('a statement without rows tells how many it changed', async () => {
  const db = makeDatabase();
  const [result] = await atomic(db, [db.insert(subscriptions).values([ann, bob])]);
  expect(result).toMatchObject({ changes: 2 });
});

test('when one fails none takes effect, and the error is thrown', async () => {
  const db = makeDatabase();

  const writing = atomic(db, [
    db.insert(subscriptions).values(ann),
    db.insert(subscriptions).values({ ...bob, email: ann.email }),
  ]);

  await expect(writing).rejects.toThrow(/UNIQUE constraint failed: newsletter_subscriptions.email/);
  expect(await db.select().from(subscriptions)).toEqual([]);
});

test('the database goes on after a failure', async () => {
  const db = makeDatabase();
  const failing = atomic(db, [db.insert(subscriptions).values([ann, ann])]);
  await expect(failing).rejects.toThrow('UNIQUE');

  await atomic(db, [db.insert(subscriptions).values(ann)]);
  expect(await db.select().from(subscriptions)).toMatchObject([ann]);
});
