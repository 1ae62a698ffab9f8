import type { Database, DatabaseOrTransaction } from '@app/db/open';
import { serverSecrets } from '@app/db/schema/server';
import { eq } from 'drizzle-orm';
import { newToken } from '../tokens.ts';

/** Created on first use. Reads first, because the disk may not be writable. */
export function serverSecret(db: Database, name: string): string {
  const existing = readSecret(db, name);
  if (existing !== undefined) return existing;
  return db.transaction(
    (tx) => {
      tx.insert(serverSecrets).values({ name, value: newToken() }).onConflictDoNothing().run();
      const created = readSecret(tx, name);
      if (created === undefined)
        throw new Error(`the secret ${name} is missing right after it was created`);
      return created;
    },
    { behavior: 'immediate' },
  );
}

const readSecret = (db: DatabaseOrTransaction, name: string): string | undefined =>
  db.select().from(serverSecrets).where(eq(serverSecrets.name, name)).get()?.value;
