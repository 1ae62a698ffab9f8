import { blogPosts } from '@app/db/schema/blog';
import { isNull } from 'drizzle-orm';

/**
 * Posts that are not in the trash. Those in it are not published and have a slug that no URL can
 * have, so queries of published posts do not find them. All others need this condition.
 */
export const isLive = isNull(blogPosts.deletedAt);
