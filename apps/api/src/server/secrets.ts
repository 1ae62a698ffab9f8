import type { Database } from '@app/db/open';
import { serverSecrets } from '@app/db/schema/server';
import { eq } from 'drizzle-orm';
import { newToken } from '../tokens.ts';

/** Created on first use. Reads first, because the disk may not be writable. */
export function serverSecret(db: Database, name: string): string {
  const read = () =>
    db.select().from(serverSecrets).where(eq(serverSecrets.name, name)).get()?.value;
  const existing = read();
  if (existing !== undefined) return existing;
  db.insert(serverSecrets).values({ name, value: newToken() }).onConflictDoNothing().run();
  const created = read();
  if (created === undefined)
    throw new Error(`the secret ${name} is missing right after it was created`);
  return created;
}
