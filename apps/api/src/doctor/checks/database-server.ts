import { pendingMigrations } from '@app/db/migrate';
import { openPrimary } from '@app/db/replica/open-replica';
import { storageFailureOf } from '@app/db/storage-failure';
import { migrationsFolder } from '../../migrations-folder.ts';
import { type DeploymentCheck, type Finding, failure, ok, skipped, warning } from '../check.ts';

/** In milliseconds per statement. A save has about ten, which block the event loop. */
const slowStatement = 10;

const attempts = 5;

export const databaseServer: DeploymentCheck = {
  name: 'database server',
  needs: 'settings',
  blocks: true,
  async run({ env }) {
    if (!env.databaseServer) {
      return [skipped('DATABASE_URL is not set: the database is in DATA_DIR.')];
    }
    try {
      const findings = [await inspect(env.databaseServer)];
      if (!env.uploads) {
        findings.push(
          warning(
            'Avatars and pictures are stored on the server that received them: other servers do not have them.',
            'Set UPLOADS_URL, and move existing files with `pnpm cli uploads move`.',
          ),
        );
      }
      return findings;
    } catch (error) {
      if (storageFailureOf(error) !== 'unavailable') throw error;
      return [
        failure(
          (error as Error).message,
          'Start the database server, or correct DATABASE_URL and DATABASE_AUTH_TOKEN.',
        ),
      ];
    }
  },
};

async function inspect(server: Parameters<typeof openPrimary>[0]): Promise<Finding> {
  const { db, close } = await openPrimary(server);
  try {
    const times: number[] = [];
    for (let n = 0; n < attempts; n += 1) {
      const began = performance.now();
      db.$client.prepare('SELECT 1').get();
      times.push(performance.now() - began);
    }
    const fastest = Math.min(...times);
    const { pending } = pendingMigrations(db, migrationsFolder);
    if (pending > 0) {
      return warning(
        `The shared database lacks ${pending} ${pending === 1 ? 'migration' : 'migrations'} of this version.`,
        'Start a server of this version, which migrates it.',
      );
    }
    const time = `${fastest.toFixed(1)} ms`;
    return fastest > slowStatement
      ? warning(
          `A statement on the database server takes ${time}, and a save has about ten.`,
          'Move the database server closer, such as to the same data center.',
        )
      : ok(`The database server answers in ${time}, and flushes commits.`);
  } finally {
    await close();
  }
}
