import type { Database } from '@app/db/open';
import { identities, profiles, sessions, users } from '@app/db/schema/accounts';
import { asc, eq } from 'drizzle-orm';
import { toIso, toIsoOrNull } from '../../clock.ts';
import type { UserData } from '../profile/user-data.ts';

/** The content of account.json. Excludes secrets and their hashes. Times are ISO 8601 in UTC. */
export function accountRecord(
  db: Database,
  userData: readonly UserData[],
  userId: string,
  now: number,
) {
  const user = db.select().from(users).where(eq(users.id, userId)).get();
  if (!user) throw new Error('the account does not exist');
  const { email } = user;
  const profile = db.select().from(profiles).where(eq(profiles.id, userId)).get();
  const devices = db
    .select()
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(asc(sessions.createdAt))
    .all();
  const elsewhere = db.select().from(identities).where(eq(identities.userId, userId)).all();
  return {
    exportedAt: toIso(now),
    account: {
      id: user.id,
      email,
      role: user.role,
      createdAt: toIso(user.createdAt),
      emailConfirmedAt: toIsoOrNull(user.emailConfirmedAt),
    },
    profile: profile
      ? {
          username: profile.username,
          fullName: profile.fullName,
          avatarUrl: profile.avatarUrl,
          updatedAt: toIso(profile.updatedAt),
        }
      : null,
    signInMethods: {
      password: user.passwordHash !== null,
      elsewhere: elsewhere.map(({ provider, subject, createdAt }) => ({
        provider,
        subject,
        connectedAt: toIso(createdAt),
      })),
    },
    devices: devices.map(({ device, createdAt, signedInAt, lastSeenAt, expiresAt }) => ({
      name: device,
      createdAt: toIso(createdAt),
      signedInAt: toIso(signedInAt),
      lastSeenAt: toIso(lastSeenAt),
      expiresAt: toIso(expiresAt),
    })),
    ...Object.assign(
      {},
      ...userData.map(({ exportFields }) => exportFields?.(db, { userId, email })),
    ),
  };
}
