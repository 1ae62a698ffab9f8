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
    /** Null once its author's account is deleted: what they published may stay, without their name. */
    authorId: text('author_id').references(() => users.id, { onDelete: 'set null' }),
    authorEmail: text('author_email').notNull(),
    /** Who took it back from readers: they may read the draft, whoever wrote it. */
    unpublishedBy: text('unpublished_by').references(() => users.id, { onDelete: 'set null' }),
    /** One more with every change; the published page remembers which one it shows. */
    version: integer('version').notNull().default(1),
    /**
     * Another one with every change. Versions count alike in every copy of the database; this tells
     * a post of a restored copy from the one that the pages were rendered from.
     */
    revision: text('revision').notNull().default('').$defaultFn(randomUUID).$onUpdateFn(randomUUID),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    // The lists ask for published posts, newest first: the index is their whole answer's order.
    index('blog_posts_published').on(table.published, table.createdAt, table.id),
    index('blog_posts_author').on(table.authorId, table.createdAt, table.id),
  ],
);

/**
 * Each post's content as HTML, rendered once per revision. A post without a row, or with a row of
 * another pipeline, is rendered when a page needs it.
 */
export const blogPostBodies = sqliteTable(
  'blog_post_bodies',
  {
    postId: text('post_id')
      .primaryKey()
      .references(() => blogPosts.id, { onDelete: 'cascade' }),
    /** See `pipelineVersion` in apps/api. */
    pipelineVersion: integer('pipeline_version').notNull(),
    /** Why the content cannot be rendered; null when it was. */
    problem: text('problem'),
    /** Null when there is a problem. Last, so that reading the others leaves its pages alone. */
    html: text('html'),
  },
  (table) => [
    index('blog_post_bodies_problem').on(table.postId).where(sql`${table.problem} is not null`),
  ],
);

/** Slugs that a post had before: they lead to where the post is now. */
export const blogPostOldSlugs = sqliteTable(
  'blog_post_old_slugs',
  {
    slug: text('slug').primaryKey(),
    postId: text('post_id')
      .notNull()
      .references(() => blogPosts.id, { onDelete: 'cascade' }),
    /** When the post left it. */
    createdAt: integer('created_at').notNull().default(0),
  },
  (table) => [index('blog_post_old_slugs_post').on(table.postId, table.createdAt)],
);

/** How often an account has published within the hour that began with its first time. */
export const authorPublishes = sqliteTable('author_publishes', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  windowStart: integer('window_start').notNull(),
  count: integer('count').notNull(),
});
