import { accountMessages } from '@app/contract/accounts/messages';
import type { Profile, ProfileChange } from '@app/contract/accounts/profile';
import type { PageData } from '@app/contract/pages';
import type { InputIssue } from '@app/contract/problems';
import type { DatabaseOrTransaction, Transaction } from '@app/db/open';
import { identities, profiles, users } from '@app/db/schema/accounts';
import { blogPosts } from '@app/db/schema/blog';
import { writeTransaction } from '@app/db/write-transaction';
import { and, eq, isNotNull, isNull, ne, or } from 'drizzle-orm';
import { findLiveSession } from '../sessions/live-session.ts';
import type { SignedIn } from '../sessions/sessions.ts';
import { nameOf, toAuthor } from './author.ts';
import type { Deps } from './deps.ts';
import { isForbiddenName } from './staff-names.ts';
import { isOfOneScript, isReserved, usernameKey } from './usernames.ts';

type ProfileRefusal =
  | { refused: 'not_signed_in' | 'username_taken' }
  | { refused: 'invalid_name'; issue: InputIssue };

export function findProfile({ db }: { db: DatabaseOrTransaction }, userId: string): Profile | null {
  const { username, fullName, avatarUrl } = profiles;
  const row = db
    .select({ id: users.id, email: users.email, username, fullName, avatarUrl })
    .from(profiles)
    .innerJoin(users, eq(users.id, profiles.id))
    .where(eq(profiles.id, userId))
    .get();
  return row ?? null;
}

/** @returns an issue if a well-formed username is reserved or mixes alphabets */
export function usernameIssue(username: string): InputIssue | null {
  if (isReserved(username))
    return { path: 'username', message: accountMessages.profile.usernameReserved };
  if (isOfOneScript(username)) return null;
  return { path: 'username', message: accountMessages.profile.usernameMixed };
}

/** Creates or changes a user's profile. Pages with their name are updated in the background. */
export async function changeProfile(
  { db, clock, publisher, logByline }: Deps,
  user: SignedIn,
  change: ProfileChange,
): Promise<Profile | ProfileRefusal> {
  const { username, fullName } = change;
  const saved = await writeTransaction(db, (tx): { profile: Profile } | ProfileRefusal => {
    const now = clock.now();
    const session = findLiveSession(tx, user, now);
    if (!session) return { refused: 'not_signed_in' };
    const { userId } = session;
    const issue = nameIssue(tx, change, session.role);
    if (issue) return { refused: 'invalid_name', issue };
    const key = username === undefined ? undefined : usernameKey(username);
    if (key !== undefined && isTaken(tx, key, userId)) {
      return { refused: 'username_taken' };
    }
    const before = findProfile({ db: tx }, userId);
    if (losesName(before, change) && session.role === 'member' && signsPosts(tx, userId)) {
      const message = accountMessages.profile.nameNeeded;
      return { refused: 'invalid_name', issue: { path: 'fullName', message } };
    }
    const values = {
      updatedAt: now,
      ...(username !== undefined && { username, usernameKey: key }),
      ...(fullName !== undefined && { fullName }),
    };
    tx.insert(profiles)
      .values({ id: userId, ...values })
      .onConflictDoUpdate({ target: profiles.id, set: values })
      .run();
    const profile = findProfile({ db: tx }, userId);
    if (!profile) throw new Error(`the profile of ${userId} is missing after it was written`);
    const { role } = session;
    if (bylineOf(profile, role) !== bylineOf(before, role)) logByline(tx, now, userId);
    return { profile };
  });
  if ('refused' in saved) return saved;
  publisher.wake();
  return saved.profile;
}

const bylineOf = (profile: Profile | null, role: SignedIn['role']): string =>
  toAuthor({ fullName: null, username: null, avatarUrl: null, ...profile, role }).name;

function nameIssue(
  tx: Transaction,
  { username, fullName }: ProfileChange,
  role: 'member' | 'staff',
): InputIssue | null {
  const names = Object.entries({ username, fullName });
  const forbidden = names.find(([, name]) => name && isForbiddenName(tx, name, role));
  return forbidden ? { path: forbidden[0], message: accountMessages.profile.nameReserved } : null;
}

const losesName = (before: Profile | null, change: ProfileChange): boolean =>
  nameOf(before) !== null &&
  nameOf({ fullName: null, username: null, ...before, ...change }) === null;

/** Whether posts of the user are published, or will be. Their readers see who wrote them. */
const signsPosts = (tx: Transaction, userId: string): boolean =>
  tx
    .select({ id: blogPosts.id })
    .from(blogPosts)
    .where(
      and(
        eq(blogPosts.authorId, userId),
        isNull(blogPosts.deletedAt),
        or(blogPosts.published, isNotNull(blogPosts.scheduledAt)),
      ),
    )
    .limit(1)
    .get() !== undefined;

const isTaken = (tx: Transaction, key: string, userId: string): boolean =>
  tx
    .select({ id: profiles.id })
    .from(profiles)
    .where(and(eq(profiles.usernameKey, key), ne(profiles.id, userId)))
    .get() !== undefined;

type ProfilePage = Extract<PageData, { kind: 'profile' }>;

export function profileOf(
  deps: Pick<Deps, 'db' | 'sessions'>,
  user: SignedIn,
  { isRecent, entered }: Pick<ProfilePage, 'isRecent' | 'entered'>,
): ProfilePage {
  const { db, sessions } = deps;
  const { userId, email } = user;
  const account = db.select().from(users).where(eq(users.id, userId)).get();
  const linked = db.select().from(identities).where(eq(identities.userId, userId)).all();
  return {
    kind: 'profile',
    email,
    profile: findProfile(deps, userId),
    devices: sessions.list(user),
    methods: {
      password: account !== undefined && account.passwordHash !== null,
      google: linked.some(({ provider }) => provider === 'google'),
    },
    entered,
    isRecent,
  };
}
