import { foreignKey, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { users } from './accounts.ts';
import { blogPostDrafts, blogPostRevisions } from './blog.ts';

/** Pictures of posts. Their files are in DATA_DIR/uploads/pictures. */
export const pictures = sqliteTable(
  'pictures',
  {
    /** Part of its URL. Random, because a picture may belong to a draft. */
    id: text('id').primaryKey(),
    /** Null after the account was deleted, while posts still use it. */
    userId: text('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** Width and height of its largest file. */
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    /** Of all files. */
    bytes: integer('bytes').notNull(),
    alt: text('alt').notNull(),
    createdAt: integer('created_at').notNull(),
    /** Null while it is used. Updated by the cleanup. */
    unusedSince: integer('unused_since'),
  },
  (table) => [index('pictures_user').on(table.userId, table.createdAt, table.id)],
);

/** Pictures whose files are in the trash. Limited, and deleted with their owner's account. */
export const trashedPictures = sqliteTable(
  'trashed_pictures',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Of all files. */
    bytes: integer('bytes').notNull(),
    trashedAt: integer('trashed_at').notNull(),
  },
  (table) => [
    index('trashed_pictures_user').on(table.userId, table.trashedAt),
    // For the cleanup.
    index('trashed_pictures_time').on(table.trashedAt),
  ],
);

/** Which revisions and drafts refer to a picture. Each row has one of the two. */
export const pictureUses = sqliteTable(
  'picture_uses',
  {
    pictureId: text('picture_id')
      .notNull()
      .references(() => pictures.id, { onDelete: 'cascade' }),
    revisionId: text('revision_id').references(() => blogPostRevisions.id, { onDelete: 'cascade' }),
    draftUserId: text('draft_user_id'),
    draftId: text('draft_id'),
  },
  (table) => [
    foreignKey({
      columns: [table.draftUserId, table.draftId],
      foreignColumns: [blogPostDrafts.userId, blogPostDrafts.id],
    }).onDelete('cascade'),
    index('picture_uses_picture').on(table.pictureId),
    index('picture_uses_revision').on(table.revisionId),
    index('picture_uses_draft').on(table.draftUserId, table.draftId),
  ],
);
