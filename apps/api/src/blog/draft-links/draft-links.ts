import type { DraftLink } from '@app/contract/blog/draft-link-replies';
import { draftLinkLifetimes, type NewDraftLink } from '@app/contract/blog/draft-links';
import { blogMessages } from '@app/contract/blog/messages';
import { day } from '@app/contract/durations';
import { limits } from '@app/contract/limits';
import { deleteInBatches } from '@app/db/delete-in-batches';
import type { DatabaseOrTransaction, Transaction } from '@app/db/open';
import { preparedStatements } from '@app/db/prepared-statements';
import { profiles, users } from '@app/db/schema/accounts';
import { blogDraftLinks, blogPostRevisions, blogPosts } from '@app/db/schema/blog';
import { writeTransaction } from '@app/db/write-transaction';
import { and, desc, eq, gt, notBetween, sql } from 'drizzle-orm';
import { authorColumns, toAuthor } from '../../accounts/profile/author.ts';
import type { SignedIn } from '../../accounts/sessions/sessions.ts';
import { toIso } from '../../clock.ts';
import { hashToken, newId, newToken } from '../../tokens.ts';
import type { Deps } from '../deps.ts';
import { isLive } from '../posts/live-posts.ts';
import { accessTo } from '../posts/permissions.ts';
import { postColumns } from '../posts/post-row.ts';
import {
  findChangeable,
  type PostRefusal,
  refuse,
  type StoredPost,
} from '../posts/writing-access.ts';
import { addMissingRevision, isRevision } from '../revisions/revisions.ts';

export type DraftLinkRefusal = PostRefusal | { refused: 'published' | 'no_link' };

const statementsOf = preparedStatements((db) => {
  const { content, title, slug, excerpt, coverImage, tags, createdAt } = blogPostRevisions;
  return {
    byToken: db
      .select({
        id: blogDraftLinks.id,
        expiresAt: blogDraftLinks.expiresAt,
        creator: { userId: users.id, role: users.role },
        post: postColumns,
        revision: { content, title, slug, excerpt, coverImage, tags, createdAt },
      })
      .from(blogDraftLinks)
      .innerJoin(blogPosts, eq(blogPosts.id, blogDraftLinks.postId))
      .innerJoin(users, eq(users.id, blogDraftLinks.userId))
      .leftJoin(profiles, eq(profiles.id, blogPosts.authorId))
      .leftJoin(blogPostRevisions, eq(blogPostRevisions.id, blogDraftLinks.revisionId))
      .where(
        and(
          isLive,
          eq(blogDraftLinks.tokenHash, sql.placeholder('tokenHash')),
          gt(blogDraftLinks.expiresAt, sql.placeholder('now')),
        ),
      )
      .prepare(),
  };
});

/**
 * Links for reading a draft without an account. Users who can change a post manage its links. A
 * link works while the user who created it can change the post.
 */
export function createDraftLinks(deps: Pick<Deps, 'db' | 'clock' | 'settings'>) {
  const { db, clock, settings } = deps;
  const { byToken } = statementsOf(db);

  return {
    /** Undefined for a link that does not work, or whose post is in the trash. */
    find(token: string) {
      const found = byToken.get({ tokenHash: hashToken(token), now: clock.now() });
      return found && works(found.post, found.creator) ? found : undefined;
    },

    /** Those that work, newest first. */
    list: (postId: string): DraftLink[] => linksOf(db, postId, clock.now()),

    create(
      user: SignedIn,
      postId: string,
      { lifetime, pinned }: NewDraftLink,
    ): Promise<{ link: DraftLink; token: string } | DraftLinkRefusal> {
      return writeTransaction(db, (tx) => {
        const now = clock.now();
        const changeable = findChangeable(tx, settings, { user, id: postId, now });
        if ('refused' in changeable) return changeable;
        const { post, writer } = changeable;
        if (post.published) return refuse('published');
        if (linksOf(tx, postId, now).length >= limits.draftLinks) return tooMany;
        const token = newToken();
        const row = {
          id: newId(),
          tokenHash: hashToken(token),
          postId,
          revisionId: pinned ? revisionOf(tx, post) : null,
          userId: writer.userId,
          createdAt: now,
          expiresAt: now + draftLinkLifetimes[lifetime] * day,
        };
        tx.insert(blogDraftLinks).values(row).run();
        const link = linksOf(tx, postId, now).find(({ id }) => id === row.id);
        if (!link) throw new Error(`link ${row.id} is missing after it was written`);
        return { link, token };
      });
    },

    revoke(
      user: SignedIn,
      { postId, id }: { postId: string; id: string },
    ): Promise<{ revoked: true } | DraftLinkRefusal> {
      return writeTransaction(db, (tx) => {
        const changeable = findChangeable(tx, settings, { user, id: postId, now: clock.now() });
        if ('refused' in changeable) return changeable;
        const isLink = and(eq(blogDraftLinks.id, id), eq(blogDraftLinks.postId, postId));
        const { changes } = tx.delete(blogDraftLinks).where(isLink).run();
        return changes > 0 ? { revoked: true as const } : refuse('no_link');
      });
    },
  };

  function works(post: Parameters<typeof accessTo>[1], creator: Creator): boolean {
    return accessTo(settings, post, creator) === 'change';
  }

  function linksOf(tx: DatabaseOrTransaction, postId: string, now: number): DraftLink[] {
    return selectLinks(tx, postId, now)
      .filter(({ post, creator }) => works(post, creator))
      .map(({ link }) => link);
  }
}

type Creator = Pick<SignedIn, 'userId' | 'role'>;

export const draftLinkPath = (token: string): string => `/blog/draft/${token}`;

const tooMany: PostRefusal = {
  refused: 'quota',
  detail: blogMessages.draftLinks.tooMany(limits.draftLinks),
};

const isOf = (postId: string, now: number) =>
  and(eq(blogDraftLinks.postId, postId), gt(blogDraftLinks.expiresAt, now));

function selectLinks(db: DatabaseOrTransaction, postId: string, now: number) {
  const rows = db
    .select({
      id: blogDraftLinks.id,
      createdAt: blogDraftLinks.createdAt,
      expiresAt: blogDraftLinks.expiresAt,
      version: blogPostRevisions.version,
      savedAt: blogPostRevisions.createdAt,
      creator: { userId: users.id, role: users.role },
      post: { published: blogPosts.published, authorId: blogPosts.authorId },
      ...authorColumns,
    })
    .from(blogDraftLinks)
    .innerJoin(blogPosts, eq(blogPosts.id, blogDraftLinks.postId))
    .innerJoin(users, eq(users.id, blogDraftLinks.userId))
    .leftJoin(profiles, eq(profiles.id, blogDraftLinks.userId))
    .leftJoin(blogPostRevisions, eq(blogPostRevisions.id, blogDraftLinks.revisionId))
    .where(isOf(postId, now))
    .orderBy(desc(blogDraftLinks.id))
    .all();
  return rows.map(({ id, createdAt, expiresAt, version, savedAt, creator, post, ...profile }) => ({
    creator,
    post,
    link: {
      id,
      createdBy: toAuthor(profile).name,
      createdAt: toIso(createdAt),
      expiresAt: toIso(expiresAt),
      pinnedTo: version === null || savedAt === null ? null : { version, savedAt: toIso(savedAt) },
    },
  }));
}

/** The id of the post's current revision. */
function revisionOf(tx: Transaction, post: StoredPost): string {
  addMissingRevision(tx, post);
  const revision = tx
    .select({ id: blogPostRevisions.id })
    .from(blogPostRevisions)
    .where(isRevision({ postId: post.id, version: post.version }))
    .get();
  if (!revision) throw new Error(`post ${post.id} has no revision after it was written`);
  return revision.id;
}

/** Deletes links that have expired, or were created while the clock was ahead. */
export const deleteExpiredLinks = ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  const now = clock.now();
  const longest = Math.max(...Object.values(draftLinkLifetimes)) * day;
  return deleteInBatches(
    db,
    blogDraftLinks,
    notBetween(blogDraftLinks.expiresAt, now + 1, now + longest),
  );
};
