import { randomUUID } from 'node:crypto';
import { isNotNull, sql } from 'drizzle-orm';
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { users } from './accounts.ts';
import { json } from './json.ts';

export const blogPosts = sqliteTable(
  'blog_posts',
  {
    id: text('id').primaryKey(),
    slug: text('slug').notNull().unique(),
    title: text('title').notNull(),
    excerpt: text('excerpt').notNull(),
    content: text('content').notNull(),
    coverImage: text('cover_image'),
    tags: json<Tag[]>('tags').notNull().default(sql`'[]'`),
    published: integer('published', { mode: 'boolean' }).notNull(),
    /** Null after the author's account was deleted. */
    authorId: text('author_id').references(() => users.id, { onDelete: 'set null' }),
    /** As of the post's creation: updating all posts of an account could take hundreds of ms. */
    authorEmail: text('author_email').notNull(),
    /** Incremented with every change. */
    version: integer('version').notNull().default(1),
    /** A random value for every change: unlike versions, it differs between diverged databases. */
    revision: text('revision').notNull().default('').$defaultFn(randomUUID).$onUpdateFn(randomUUID),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    /** Set while the post is in the trash. Then it is not published; see `deletedPublished`. */
    deletedAt: integer('deleted_at'),
    deletedBy: text('deleted_by').references(() => users.id, { onDelete: 'set null' }),
    deletedPublished: integer('deleted_published', { mode: 'boolean' }),
    /** When a draft is published. Also set in the trash, where it has no effect. */
    scheduledAt: integer('scheduled_at'),
    /** Whose permission counts at that time. */
    scheduledBy: text('scheduled_by').references(() => users.id, { onDelete: 'set null' }),
    /** The time of a schedule that was dropped, because its user may no longer change the post. */
    droppedSchedule: integer('dropped_schedule'),
  },
  (table) => [
    index('blog_posts_deleted')
      .on(table.deletedAt, table.id)
      .where(sql`${table.deletedAt} is not null`),
    index('blog_posts_scheduled')
      .on(table.scheduledAt, table.id)
      .where(sql`${table.scheduledAt} is not null and ${table.deletedAt} is null`),
    // For lists: published posts, newest first.
    index('blog_posts_published').on(table.published, table.createdAt, table.id),
    index('blog_posts_author').on(table.authorId, table.createdAt, table.id),
    // For deleting an account, which sets them to null and would otherwise read all posts.
    index('blog_posts_deleter').on(table.deletedBy).where(isNotNull(table.deletedBy)),
    index('blog_posts_scheduler').on(table.scheduledBy).where(isNotNull(table.scheduledBy)),
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
    words: integer('words').notNull(),
    /** Whether the body has parts whose styles are in a stylesheet of their own. */
    isRich: integer('is_rich', { mode: 'boolean' }).notNull(),
    /** The table of contents. Null for a short post. */
    outlineHtml: text('outline_html'),
    /** Among the last columns, so that queries of the others do not read it. */
    html: text('html'),
    /** The HTML's words, for the search. */
    text: text('text'),
  },
  (table) => [
    index('blog_post_bodies_problem').on(table.postId).where(sql`${table.problem} is not null`),
  ],
);

/**
 * The rows of the FTS5 table `blog_search` (title, excerpt, body). Triggers keep both equal to the
 * published posts with a body; see the migration that creates them.
 */
export const blogSearchPosts = sqliteTable('blog_search_posts', {
  id: integer('id').primaryKey(),
  postId: text('post_id').notNull().unique(),
});

/** The tags of published posts. Triggers on `blog_posts` change them; see the migration. */
export const blogPostTags = sqliteTable(
  'blog_post_tags',
  {
    tag: text('tag').notNull(),
    createdAt: integer('created_at').notNull(),
    postId: text('post_id')
      .notNull()
      .references(() => blogPosts.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tag, table.createdAt, table.postId] }),
    index('blog_post_tags_post').on(table.postId),
  ],
);

/** Old slugs redirect to the current one. No other post can have them. */
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

/** What each save wrote. A post that was last saved before there were revisions has none yet. */
export const blogPostRevisions = sqliteTable(
  'blog_post_revisions',
  {
    id: text('id').primaryKey(),
    postId: text('post_id')
      .notNull()
      .references(() => blogPosts.id, { onDelete: 'cascade' }),
    version: integer('version').notNull(),
    /** Who saved it. Null after that account was deleted. */
    userId: text('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** Named revisions are never cleaned up. */
    name: text('name'),
    createdAt: integer('created_at').notNull(),
    /** Of its texts, in UTF-8. */
    bytes: integer('bytes').notNull(),
    published: integer('published', { mode: 'boolean' }).notNull(),
    title: text('title').notNull(),
    slug: text('slug').notNull(),
    excerpt: text('excerpt').notNull(),
    coverImage: text('cover_image'),
    tags: json<Tag[]>('tags').notNull().default(sql`'[]'`),
    /** After the other columns, so that queries of those do not read it. */
    content: text('content').notNull(),
    /** Only read together with the content. */
    scheduledAt: integer('scheduled_at'),
  },
  (table) => [
    uniqueIndex('blog_post_revisions_version').on(table.postId, table.version),
    index('blog_post_revisions_user').on(table.userId, table.id),
    // For the cleanup.
    index('blog_post_revisions_time').on(table.createdAt).where(sql`${table.name} is null`),
  ],
);

/**
 * The bytes of all revisions that an account has saved, for its quota. Triggers on
 * `blog_post_revisions` change them; see the migration.
 */
export const blogHistorySizes = sqliteTable('blog_history_sizes', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  bytes: integer('bytes').notNull(),
});

/** What users typed and have not saved. Each has one per post. */
export const blogPostDrafts = sqliteTable(
  'blog_post_drafts',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The id of the post, or one that the client generated for a new post. */
    id: text('id').notNull(),
    /** Null for a new post, and after the post was deleted for good. */
    postId: text('post_id').references(() => blogPosts.id, { onDelete: 'set null' }),
    /** The version of the post that the text is based on. */
    baseVersion: integer('base_version'),
    /** Of the fields, in UTF-8. */
    bytes: integer('bytes').notNull(),
    updatedAt: integer('updated_at').notNull(),
    /** As typed, possibly invalid. */
    fields: json<DraftFields>('fields').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('blog_post_drafts_post').on(table.postId),
    // For the cleanup.
    index('blog_post_drafts_time').on(table.updatedAt),
  ],
);

/** Links with which people without an account read a draft. */
export const blogDraftLinks = sqliteTable(
  'blog_draft_links',
  {
    id: text('id').primaryKey(),
    /** SHA-256 (hex). */
    tokenHash: text('token_hash').notNull().unique(),
    postId: text('post_id')
      .notNull()
      .references(() => blogPosts.id, { onDelete: 'cascade' }),
    /** The only revision that the link shows. Null if it follows the draft. */
    revisionId: text('revision_id').references(() => blogPostRevisions.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [
    index('blog_draft_links_post').on(table.postId, table.id),
    index('blog_draft_links_revision').on(table.revisionId),
    index('blog_draft_links_user').on(table.userId),
    // For the cleanup.
    index('blog_draft_links_time').on(table.expiresAt),
  ],
);

interface Tag {
  slug: string;
  name: string;
}

interface DraftFields {
  title: string;
  slug: string;
  excerpt: string;
  coverImage: string;
  tags: string;
  content: string;
  published: boolean;
  /** ISO 8601; null to unschedule, absent if it is the same as that of the post. */
  scheduledAt?: string | null;
}

/** How often each account has published, in the hour since the first time. */
export const authorPublishes = sqliteTable('author_publishes', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  windowStart: integer('window_start').notNull(),
  count: integer('count').notNull(),
});

/** Who has which post open in the editor. */
export const blogPresence = sqliteTable(
  'blog_presence',
  {
    postId: text('post_id')
      .notNull()
      .references(() => blogPosts.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.postId, table.userId] }),
    index('blog_presence_user').on(table.userId),
  ],
);
