import { openReplica } from '../replica/open-replica.ts';
import { serverSecrets as secrets } from '../schema/server.ts';
import { writeTransaction } from '../write-transaction.ts';

/**
 * Arguments: URL, replica file, a name. Writes pairs of rows until it is killed. Prints the number
 * of each stored pair, and whether it can be read.
 */
const [url = '', file = '', name = ''] = process.argv.slice(2);
const { db } = await openReplica({ url, file });
for (let pair = 0; ; pair += 1) {
  await writeTransaction(db, (tx) => {
    for (const row of ['a', 'b']) {
      tx.insert(secrets)
        .values({ name: `${name}-${pair}-${row}`, value: '' })
        .run();
    }
  });
  const rows = db.select().from(secrets).all();
  const isRead = rows.some((row) => row.name === `${name}-${pair}-b`);
  process.stdout.write(`${pair} ${isRead}\n`);
}
