import type { Check } from './check.ts';
import { clientAddress } from './checks/client-address.ts';
import { clockSkew } from './checks/clock.ts';
import { dataFolder } from './checks/data-folder.ts';
import { database } from './checks/database.ts';
import { databaseServer } from './checks/database-server.ts';
import { disk } from './checks/disk.ts';
import { emailProvider } from './checks/email.ts';
import { lastBackup } from './checks/last-backup.ts';
import { nodeVersion } from './checks/node-version.ts';
import { dns, reachable } from './checks/public-url.ts';
import { emailQueue, publishing } from './checks/queues.ts';
import { senderRecords } from './checks/sender-records.ts';
import { server } from './checks/server.ts';
import { settings } from './checks/settings.ts';
import { certificate, https } from './checks/tls.ts';
import { uploads } from './checks/uploads.ts';

/** In the order of the steps of a deployment. */
export const checks: readonly Check[] = [
  settings,
  nodeVersion,
  dataFolder,
  disk,
  database,
  databaseServer,
  clockSkew,
  server,
  publishing,
  dns,
  reachable,
  certificate,
  https,
  clientAddress,
  emailProvider,
  senderRecords,
  emailQueue,
  uploads,
  lastBackup,
];
