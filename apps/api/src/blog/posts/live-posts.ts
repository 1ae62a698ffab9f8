import { blogPosts } from '@app/db/schema/blog';
import { isNull } from 'drizzle-orm';

/**
 * Posts that are not in the trash. Those in the trash are unpublished, so queries for published
 * posts do not find them. All other queries need this condition.
 */
export const isLive = isNull(blogPosts.deletedAt);
