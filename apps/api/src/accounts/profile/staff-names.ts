import type { Transaction } from '@app/db/open';
import { profiles, users } from '@app/db/schema/accounts';
import { eq } from 'drizzle-orm';
import { isImpersonation } from './usernames.ts';

/** Whether the name would make a member's byline look like the company's or a staff member's. */
export function isForbiddenName(tx: Transaction, name: string, role: 'member' | 'staff'): boolean {
  if (role === 'staff') return false;
  const staff = tx
    .select({ fullName: profiles.fullName, username: profiles.username })
    .from(profiles)
    .innerJoin(users, eq(users.id, profiles.id))
    .where(eq(users.role, 'staff'))
    .all();
  const names = staff.flatMap(({ fullName, username }) => [fullName, username]);
  return isImpersonation(
    name,
    names.filter((staffName) => staffName !== null),
  );
}
