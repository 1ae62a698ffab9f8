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

/** The company speaks for authors without a profile. */
export const toAuthor = ({ fullName, username, avatarUrl }: AuthorProfile): Author => ({
  name: fullName ?? username ?? company.name,
  fullName,
  avatarUrl,
});

export const findAuthor = (db: Database, userId: string): Author =>
  toAuthor(
    db.select(authorColumns).from(profiles).where(eq(profiles.id, userId)).get() ?? noProfile,
  );
