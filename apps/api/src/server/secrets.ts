import type { Database } from '@app/db/open';
import { serverSecrets } from '@app/db/schema/server';
import { eq } from 'drizzle-orm';
import { newToken } from '../tokens.ts';

/**
 * A random value of this name that only the server knows: made once, then always the same. One
 * that is there is only read, for a start must not need a disk that can be written.
 */
export function serverSecret(db: Database, name: string): string {
  const read = () =>
    db.select().from(serverSecrets).where(eq(serverSecrets.name, name)).get()?.value;
  const known = read();
  if (known !== undefined) return known;
  db.insert(serverSecrets).values({ name, value: newToken() }).onConflictDoNothing().run();
  const made = read();
  if (made === undefined) throw new Error(`the secret ${name} is gone right after it was made`);
  return made;
}
