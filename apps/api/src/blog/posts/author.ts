import type { Author } from '@app/contract/blog/posts';
import type { Database } from '@app/db/open';
import { profiles } from '@app/db/schema/accounts';
import { company } from '@app/site/company';
import { eq } from 'drizzle-orm';

export const authorColumns = {
  fullName: profiles.fullName,
  username: profiles.username,
  avatarUrl: profiles.avatarUrl,
};

const noProfile = { fullName: null, username: null, avatarUrl: null };

export type AuthorProfile = Pick<
  typeof profiles.$inferSelect,
  'fullName' | 'username' | 'avatarUrl'
>;

const nameOf = ({ fullName, username }: AuthorProfile): string | null => fullName ?? username;

/** The company speaks for authors without a profile. */
export const toAuthor = (profile: AuthorProfile): Author => ({
  name: nameOf(profile) ?? company.name,
  fullName: profile.fullName,
  avatarUrl: profile.avatarUrl,
});

const findProfile = (db: Database, userId: string): AuthorProfile =>
  db.select(authorColumns).from(profiles).where(eq(profiles.id, userId)).get() ?? noProfile;

export const findAuthor = (db: Database, userId: string): Author =>
  toAuthor(findProfile(db, userId));

/** Null if the user has not given one. */
export const findName = (db: Database, userId: string): string | null =>
  nameOf(findProfile(db, userId));
