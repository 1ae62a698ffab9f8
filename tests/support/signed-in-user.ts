import { createHash } from 'node:crypto';
import { day } from '@app/contract/durations';
import type { Database } from '@app/db/open';
import { profiles, sessions, users } from '@app/db/schema/accounts';

export const emailOf = (name: string): string => `${name}@example.com`;

interface Options {
  /** Staff have no quota. */
  role?: 'member' | 'staff';
  passwordHash?: string;
}

/**
 * Inserts an account with a confirmed address and a session, without the requests and the password
 * hash of a sign-up.
 * @returns the session
 */
export function insertSignedInUser(
  db: Database,
  name: string,
  { role = 'member', passwordHash }: Options = {},
): string {
  const now = Date.now();
  const session = `session-of-${name}`;
  const tokenHash = createHash('sha256').update(session).digest('hex');
  db.insert(users)
    .values({
      id: name,
      email: emailOf(name),
      role,
      passwordHash: passwordHash ?? null,
      createdAt: now,
      emailConfirmedAt: now,
    })
    .run();
  db.insert(profiles)
    .values({ id: name, fullName: `Person ${name}`, updatedAt: now })
    .run();
  const times = { createdAt: now, signedInAt: now, lastSeenAt: now, expiresAt: now + 29 * day };
  db.insert(sessions)
    .values({ tokenHash, id: name, userId: name, device: '', ...times })
    .run();
  return session;
}
