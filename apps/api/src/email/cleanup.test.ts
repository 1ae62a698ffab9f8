import { day } from '@app/contract/durations';
import { migrate } from '@app/db/migrate';
import { close, open } from '@app/db/open';
import { outbox } from '@app/db/schema/email';
import { expect, onTestFinished, test } from 'vitest';
import { MovingClock } from '../testing/test-app.ts';
import { makeOutboxEmail } from '../testing/test-email.ts';
import { deleteSent } from './cleanup.ts';

test('deletes sent emails after 30 days, and no others', async () => {
  const db = open(':memory:');
  onTestFinished(() => close(db));
  migrate(db);
  const clock = new MovingClock();
  const sentAt = clock.now();
  await db
    .insert(outbox)
    .values([
      makeOutboxEmail({ id: 'sent', state: 'sent', sentAt }),
      makeOutboxEmail({ id: 'sent later', state: 'sent', sentAt: sentAt + 1 }),
      makeOutboxEmail({ id: 'waiting', createdAt: 0 }),
      makeOutboxEmail({ id: 'dead', state: 'dead', createdAt: 0 }),
    ]);
  const ids = async () => (await db.select().from(outbox)).map(({ id }) => id);

  clock.move(30 * day - 1);
  await deleteSent({ db, clock });
  expect(await ids()).toHaveLength(4);

  clock.move(1);
  await deleteSent({ db, clock });
  expect(await ids()).toEqual(['sent later', 'waiting', 'dead']);
});
