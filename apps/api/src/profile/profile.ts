import { accountMessages } from '@app/contract/account-messages';
import type { Author } from '@app/contract/blog';
import type { PageData } from '@app/contract/pages';
import type { InputIssue } from '@app/contract/problems';
import type { Profile, ProfileChange } from '@app/contract/profile';
import { atomic } from '@app/db/atomic';
import { identities, profiles, users } from '@app/db/schema/accounts';
import { eq, sql } from 'drizzle-orm';
import { listDevices } from '../accounts/devices.ts';
import type { SignedIn } from '../accounts/sessions.ts';
import type { Deps } from '../deps.ts';
import { insertAuthorJobs } from '../publishing/author-jobs.ts';
import { isOfOneScript, isReserved, usernameKey } from './usernames.ts';

/** What the person wanted cannot be: somebody has the username, or one that looks like it. */
export const usernameTaken = Symbol('username taken');

/** Somebody's own profile; null when they have none. */
export async function findProfile(
  { db }: Pick<Deps, 'db'>,
  userId: string,
): Promise<Profile | null> {
  const { username, fullName, avatarUrl } = profiles;
  const [row] = await db
    .select({ id: users.id, email: users.email, username, fullName, avatarUrl })
    .from(profiles)
    .innerJoin(users, eq(users.id, profiles.id))
    .where(eq(profiles.id, userId));
  return row ?? null;
}

/** What is wrong with a username that has the right shape: it is the site's, or of two alphabets. */
export function usernameIssue(username: string): InputIssue | null {
  if (isReserved(username))
    return { path: 'username', message: accountMessages.profile.usernameReserved };
  if (isOfOneScript(username)) return null;
  return { path: 'username', message: accountMessages.profile.usernameMixed };
}

/**
 * Changes somebody's own profile, which is made when there is none yet. Of several who want a
 * username at once, one gets it: the column is unique. Pages with their name follow behind.
 */
export async function changeProfile(
  { db, clock, publisher }: Deps,
  userId: string,
  change: ProfileChange,
): Promise<Profile | typeof usernameTaken> {
  const now = clock.now();
  const { username, fullName } = change;
  const values = {
    updatedAt: now,
    ...(username !== undefined && { username, usernameKey: usernameKey(username) }),
    ...(fullName !== undefined && { fullName }),
  };
  // Asked before the name changes, in the same commit: a page that shows it already stays.
  const nameBefore = db
    .select({ fullName: profiles.fullName })
    .from(profiles)
    .where(eq(profiles.id, userId));
  const isNewName = fullName === undefined ? sql`false` : sql`(${nameBefore}) is not ${fullName}`;
  const saved = await unlessUsernameTaken(() =>
    atomic(db, [
      insertAuthorJobs(db, now, userId, isNewName),
      db
        .insert(profiles)
        .values({ id: userId, ...values })
        .onConflictDoUpdate({ target: profiles.id, set: values }),
    ]),
  );
  if (saved === usernameTaken) return usernameTaken;
  void publisher.publishBehind(saved[0]);
  const profile = await findProfile({ db }, userId);
  if (!profile) throw new Error('the profile is gone right after it was saved');
  return profile;
}

/** Who writes under an id, as everybody may see it; null when there is nobody. */
export async function findAuthor({ db }: Pick<Deps, 'db'>, id: string): Promise<Author | null> {
  const [author] = await db
    .select({ fullName: profiles.fullName, avatarUrl: profiles.avatarUrl })
    .from(profiles)
    .where(eq(profiles.id, id));
  return author ?? null;
}

/** What /profile shows. */
export async function profilePage(
  deps: Pick<Deps, 'db' | 'sessions'>,
  user: SignedIn,
  isRecent: boolean,
): Promise<PageData> {
  const { db } = deps;
  const { userId, email } = user;
  const [profile, devices, [account], linked] = await Promise.all([
    findProfile(deps, userId),
    listDevices(deps, user),
    db.select({ hash: users.passwordHash }).from(users).where(eq(users.id, userId)),
    db.select({ name: identities.provider }).from(identities).where(eq(identities.userId, userId)),
  ]);
  return {
    kind: 'profile',
    email,
    profile,
    devices,
    methods: {
      password: account !== undefined && account.hash !== null,
      google: linked.some(({ name }) => name === 'google'),
    },
    isRecent,
  };
}

async function unlessUsernameTaken<T>(write: () => Promise<T>): Promise<T | typeof usernameTaken> {
  try {
    return await write();
  } catch (error) {
    const { code, message } = (error instanceof Error && error.cause ? error.cause : error) as {
      code?: string;
      message?: string;
    };
    if (code === 'SQLITE_CONSTRAINT_UNIQUE' && message?.includes('profiles.username_key')) {
      return usernameTaken;
    }
    throw error;
  }
}
