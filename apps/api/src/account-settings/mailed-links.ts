import type { Database } from '@app/db/open';
import { emailTokens } from '@app/db/schema/accounts';
import { and, eq, isNull, type SQL } from 'drizzle-orm';

/**
 * The statement that ends every link that was mailed to somebody and not used yet, for the
 * `atomic` of what makes that necessary: who could read their mail until now may hold some.
 */
export const endMailedLinks = (db: Database, userId: string, now: number, condition: SQL) =>
  db
    .update(emailTokens)
    .set({ usedAt: now })
    .where(and(eq(emailTokens.userId, userId), isNull(emailTokens.usedAt), condition));
