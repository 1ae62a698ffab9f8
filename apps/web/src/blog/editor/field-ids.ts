/** Ids of the fields that show their own errors, keyed by field name. */
export const fieldIds: Readonly<Record<string, string>> = {
  title: 'post-title',
  slug: 'post-slug',
  coverImage: 'post-cover',
  excerpt: 'post-excerpt',
  tags: 'post-tags',
  content: 'post-content',
  scheduledAt: 'post-schedule',
};
