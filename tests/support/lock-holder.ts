// Holds the write lock of a database until its parent disconnects.
import { open } from '@app/db/open';

const { $client: client } = open(process.argv[2] ?? '');
client.exec('BEGIN IMMEDIATE');
process.on('disconnect', () => client.close());
process.send?.('locked');
