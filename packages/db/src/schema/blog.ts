import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { users } from './accounts.ts';

export const blogPosts = sqliteTable(
  'blog_posts',
  {
    id: text('id').primaryKey(),
    slug: text('slug').notNull().unique(),
    title: text('title').notNull(),
    excerpt: text('excerpt').notNull(),
    content: text('content').notNull(),
    coverImage: text('cover_image'),
    published: integer('published', { mode: 'boolean' }).notNull(),
    /** Null after the author's account was deleted. */
    authorId: text('author_id').references(() => users.id, { onDelete: 'set null' }),
    authorEmail: text('author_email').notNull(),
    /** May read the draft besides the author. */
    unpublishedBy: text('unpublished_by').references(() => users.id, { onDelete: 'set null' }),
    /** Incremented with every change. */
    version: integer('version').notNull().default(1),
    /** Random with every change: unlike versions, it differs between diverged databases. */
    revision: text('revision').notNull().default('').$defaultFn(randomUUID).$onUpdateFn(randomUUID),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    // For lists: published posts, newest first.
    index('blog_posts_published').on(table.published, table.createdAt, table.id),
    index('blog_posts_author').on(table.authorId, table.createdAt, table.id),
  ],
);

/** Posts as HTML. A missing row, or one of another pipeline version, is rendered on demand. */
export const blogPostBodies = sqliteTable(
  'blog_post_bodies',
  {
    postId: text('post_id')
      .primaryKey()
      .references(() => blogPosts.id, { onDelete: 'cascade' }),
    /** See `pipelineVersion` in apps/api. */
    pipelineVersion: integer('pipeline_version').notNull(),
    /** Why the content cannot be rendered. */
    problem: text('problem'),
    /** The last column, so that queries of the others do not read it. */
    html: text('html'),
  },
  (table) => [
    index('blog_post_bodies_problem').on(table.postId).where(sql`${table.problem} is not null`),
  ],
);

/** They redirect to the current slug. */
export const blogPostOldSlugs = sqliteTable(
  'blog_post_old_slugs',
  {
    slug: text('slug').primaryKey(),
    postId: text('post_id')
      .notNull()
      .references(() => blogPosts.id, { onDelete: 'cascade' }),
    /** When the post was renamed. */
    createdAt: integer('created_at').notNull().default(0),
  },
  (table) => [index('blog_post_old_slugs_post').on(table.postId, table.createdAt)],
);

/** Counts per account, in the hour since the first one. */
export const authorPublishes = sqliteTable('author_publishes', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  windowStart: integer('window_start').notNull(),
  count: integer('count').notNull(),
});
