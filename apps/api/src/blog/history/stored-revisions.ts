import { type Post, writtenExcerpt } from '@app/contract/blog/posts';
import {
  type Revision,
  type RevisionList,
  type RevisionTexts,
  revisionParts,
} from '@app/contract/blog/revision-replies';
import { limits } from '@app/contract/limits';
import type { DatabaseOrTransaction } from '@app/db/open';
import { profiles } from '@app/db/schema/accounts';
import { blogPostRevisions } from '@app/db/schema/blog';
import { and, desc, eq, lt, max, type SQL, sql } from 'drizzle-orm';
import { type AuthorProfile, authorColumns, toAuthor } from '../../accounts/profile/author.ts';
import type { SignedIn } from '../../accounts/sessions/sessions.ts';
import { toIso } from '../../clock.ts';
import { toPage } from '../posts/cursor.ts';
import { isRevision } from '../revisions/revisions.ts';

const pageSize = 20;

type User = Pick<SignedIn, 'userId' | 'role'>;

/** Newest first. Undefined for an invalid cursor. */
export function listRevisions(
  db: DatabaseOrTransaction,
  { id }: Pick<Post, 'id'>,
  user: User,
  cursor: string | undefined,
): RevisionList | undefined {
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) return undefined;
  const isOlder = cursor === undefined ? undefined : lt(blogPostRevisions.version, Number(cursor));
  const page = db
    .select()
    .from(blogPostRevisions)
    .where(and(eq(blogPostRevisions.postId, id), isOlder))
    .orderBy(desc(blogPostRevisions.version))
    .limit(pageSize + 1)
    .as('page');
  const before = (column: SQL.Aliased | typeof page.title) =>
    sql`${column} is not lag(${column}) over (order by ${page.version})`;
  const rows = db
    .select({
      version: page.version,
      createdAt: page.createdAt,
      userId: page.userId,
      name: page.name,
      title: page.title,
      slug: page.slug,
      published: page.published,
      scheduledAt: page.scheduledAt,
      excerpt: page.excerpt,
      content: sql<string>`substr(${page.content}, 1, ${limits.autoExcerpt + 1})`,
      changed: sql<string>`concat_ws(' ', ${sql.join(
        [...revisionParts, 'scheduledAt' as const].map(
          (part) => sql`iif(${before(page[part] as typeof page.title)}, ${part}, null)`,
        ),
        sql`, `,
      )})`,
      ...authorColumns,
    })
    .from(page)
    .leftJoin(profiles, eq(profiles.id, page.userId))
    .orderBy(desc(page.version))
    .all();
  const { shown, nextCursor } = toPage(rows, pageSize, ({ version }) => String(version));
  return {
    revisions: shown.map(({ changed, ...row }, index) => {
      const before = rows[index + 1];
      const parts = changed.split(' ');
      // A generated excerpt changes with the content, which is not a change of its own.
      const isDerived = before && !writtenExcerpt(before) && !writtenExcerpt(row);
      return {
        ...toRevision(row, user),
        changed: before
          ? [
              ...revisionParts.filter(
                (part) => parts.includes(part) && !(part === 'excerpt' && isDerived),
              ),
              // Publishing ends a schedule.
              ...(parts.includes('scheduledAt') && !row.published ? ['scheduledAt' as const] : []),
            ]
          : null,
      };
    }),
    nextCursor,
  };
}

export const findNewestVersion = (
  db: DatabaseOrTransaction,
  postId: string,
): number | null | undefined =>
  db
    .select({ version: max(blogPostRevisions.version) })
    .from(blogPostRevisions)
    .where(eq(blogPostRevisions.postId, postId))
    .get()?.version;

/** Undefined if it is not stored. */
export const findRevisionTexts = (
  db: DatabaseOrTransaction,
  postId: string,
  version: number,
  user: User,
): RevisionTexts | undefined => {
  const row = selectTexts(db).where(isRevision({ postId, version })).get();
  return row && toTexts(row, user);
};

/** The newest revision before a version. */
export const findRevisionBefore = (
  db: DatabaseOrTransaction,
  postId: string,
  version: number,
  user: User,
): RevisionTexts | undefined => {
  const row = selectTexts(db)
    .where(and(eq(blogPostRevisions.postId, postId), lt(blogPostRevisions.version, version)))
    .orderBy(desc(blogPostRevisions.version))
    .limit(1)
    .get();
  return row && toTexts(row, user);
};

const selectTexts = (db: DatabaseOrTransaction) =>
  db
    .select({
      version: blogPostRevisions.version,
      createdAt: blogPostRevisions.createdAt,
      userId: blogPostRevisions.userId,
      name: blogPostRevisions.name,
      title: blogPostRevisions.title,
      slug: blogPostRevisions.slug,
      published: blogPostRevisions.published,
      scheduledAt: blogPostRevisions.scheduledAt,
      excerpt: blogPostRevisions.excerpt,
      coverImage: blogPostRevisions.coverImage,
      tags: blogPostRevisions.tags,
      content: blogPostRevisions.content,
      ...authorColumns,
    })
    .from(blogPostRevisions)
    .leftJoin(profiles, eq(profiles.id, blogPostRevisions.userId));

type SummaryRow = Pick<Revision, 'version' | 'name' | 'title' | 'slug' | 'published'> &
  AuthorProfile & { createdAt: number; userId: string | null; scheduledAt: number | null };

const toRevision = (
  { version, createdAt, userId, name, title, slug, published, scheduledAt, ...profile }: SummaryRow,
  user: User,
): Omit<Revision, 'changed'> => ({
  version,
  savedAt: toIso(createdAt),
  savedBy: toAuthor(profile).name,
  isYours: userId === user.userId,
  name,
  title,
  slug,
  published,
  scheduledAt: scheduledAt === null ? null : toIso(scheduledAt),
});

const toTexts = (
  {
    excerpt,
    coverImage,
    tags,
    content,
    ...row
  }: SummaryRow & Pick<RevisionTexts, 'excerpt' | 'coverImage' | 'content'> & Pick<Post, 'tags'>,
  user: User,
): RevisionTexts => ({
  ...toRevision(row, user),
  excerpt,
  coverImage,
  tags: tags.map(({ name }) => name),
  content,
});
