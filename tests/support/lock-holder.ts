// Holds the write lock of the database in its argument until its parent lets go of it.
import { open } from '@app/db/open';

const { $client: client } = open(process.argv[2] ?? '');
client.exec('BEGIN IMMEDIATE');
process.on('disconnect', () => client.close());
process.send?.('locked');
