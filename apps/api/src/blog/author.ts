import type { Author } from '@app/contract/blog/posts';
import type { profiles } from '@app/db/schema/accounts';
import { company } from '@app/site/company';

type AuthorProfile = Pick<typeof profiles.$inferSelect, 'fullName' | 'username' | 'avatarUrl'>;

/** The company speaks for authors without a profile. */
export const toAuthor = ({ fullName, username, avatarUrl }: AuthorProfile): Author => ({
  name: fullName ?? username ?? company.name,
  fullName,
  avatarUrl,
});
