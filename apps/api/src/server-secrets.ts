import type { Database } from '@app/db/open';
import { serverSecrets } from '@app/db/schema/submissions';
import { eq } from 'drizzle-orm';
import { newToken } from './tokens.ts';

/** A random value of this name that only the server knows: made once, then always the same. */
export async function serverSecret(db: Database, name: string): Promise<string> {
  await db.insert(serverSecrets).values({ name, value: newToken() }).onConflictDoNothing();
  const [secret] = await db.select().from(serverSecrets).where(eq(serverSecrets.name, name));
  if (!secret) throw new Error(`the secret ${name} is gone right after it was made`);
  return secret.value;
}
