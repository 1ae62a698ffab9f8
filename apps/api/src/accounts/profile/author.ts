import { blogMessages } from '@app/contract/blog/messages';
import type { Author } from '@app/contract/blog/posts';
import type { DatabaseOrTransaction } from '@app/db/open';
import { profiles, type users } from '@app/db/schema/accounts';
import { company } from '@app/site/company';
import { eq, sql } from 'drizzle-orm';

type Role = (typeof users.$inferSelect)['role'];

/** For queries that join `profiles`. */
export const authorColumns = {
  fullName: profiles.fullName,
  username: profiles.username,
  avatarUrl: profiles.avatarUrl,
  /** Plain SQL, because Drizzle omits the table's name in queries without a join. */
  role: sql<Role | null>`(select author.role from users author where author.id = "profiles"."id")`,
};

export type AuthorProfile = Pick<
  typeof profiles.$inferSelect,
  'fullName' | 'username' | 'avatarUrl'
> & { role: Role | null };

/** Users choose both names; none is generated. */
export const nameOf = (
  profile: Pick<AuthorProfile, 'fullName' | 'username'> | null | undefined,
): string | null => profile?.fullName ?? profile?.username ?? null;

/** Only staff without a name write as the company. */
const bylineWithoutName = (role: Role | null | undefined): string =>
  role === 'staff' ? company.name : blogMessages.guestAuthor;

export const toAuthor = (profile: AuthorProfile | undefined): Author => ({
  name: nameOf(profile) ?? bylineWithoutName(profile?.role),
  fullName: profile?.fullName ?? null,
  avatarUrl: profile?.avatarUrl ?? null,
});

export const findAuthorProfile = (
  db: DatabaseOrTransaction,
  userId: string,
): AuthorProfile | undefined =>
  db.select(authorColumns).from(profiles).where(eq(profiles.id, userId)).get();

export const findName = (db: DatabaseOrTransaction, userId: string): string | null =>
  nameOf(findAuthorProfile(db, userId));
