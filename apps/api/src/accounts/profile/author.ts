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

export type AuthorProfile = Pick<
  typeof profiles.$inferSelect,
  'fullName' | 'username' | 'avatarUrl'
>;

export const nameOf = (profile: AuthorProfile | null | undefined): string | null =>
  profile?.fullName ?? profile?.username ?? null;

/** Without a name, the byline is the company's name. */
export const toAuthor = (profile: AuthorProfile | null | undefined): Author => ({
  name: nameOf(profile) ?? company.name,
  fullName: profile?.fullName ?? null,
  avatarUrl: profile?.avatarUrl ?? null,
});

export const findAuthorProfile = (db: Database, userId: string): AuthorProfile | undefined =>
  db.select(authorColumns).from(profiles).where(eq(profiles.id, userId)).get();
