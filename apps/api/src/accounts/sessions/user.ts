import type { User } from '@app/contract/accounts/sign-in';
import type { Database, DatabaseOrTransaction } from '@app/db/open';
import { profiles, users } from '@app/db/schema/accounts';
import { eq } from 'drizzle-orm';
import { type AuthoringSettings, mayWrite } from './permissions.ts';

/** @throws if the account does not exist */
export function getUser(
  { db, settings }: { db: Database; settings: AuthoringSettings },
  userId: string,
): User {
  const row = db
    .select({
      id: users.id,
      email: users.email,
      role: users.role,
      username: profiles.username,
      fullName: profiles.fullName,
      avatarUrl: profiles.avatarUrl,
    })
    .from(users)
    .leftJoin(profiles, eq(profiles.id, users.id))
    .where(eq(users.id, userId))
    .get();
  if (!row) throw new Error('the account does not exist');
  const { role, ...user } = row;
  return { ...user, mayWrite: mayWrite(settings, { role }), isStaff: role === 'staff' };
}

export const findUserByEmail = (db: DatabaseOrTransaction, email: string) =>
  db
    .select({
      id: users.id,
      emailConfirmedAt: users.emailConfirmedAt,
      passwordHash: users.passwordHash,
    })
    .from(users)
    .where(eq(users.email, email))
    .get();
