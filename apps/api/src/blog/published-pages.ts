import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FeedPost, PostBody, PostCard, PostLine } from '@app/contract/blog/pages';
import { monthOf, type Post, type PostSummary } from '@app/contract/blog/posts';
import { limits } from '@app/contract/limits';
import type { Database } from '@app/db/open';
import { profiles } from '@app/db/schema/accounts';
import { blogPostBodies, blogPostOldSlugs, blogPosts } from '@app/db/schema/blog';
import { and, asc, desc, eq, gt, gte, isNull, lt, sql } from 'drizzle-orm';
import type { Page, PublishedPages } from '../publishing/pages.ts';
import type { Renderer } from '../publishing/renderer.ts';
import { toAuthor } from './author.ts';
import { type Bodies, bodyColumns, postBody } from './bodies.ts';
import {
  authorColumns,
  type PostRow,
  postColumns,
  type SummaryRow,
  summaryColumns,
  toPost,
  toSummary,
} from './post-row.ts';
import { createSamples } from './samples.ts';

/** On /blog and in the feed. Older posts are in the archive. */
const latestPosts = 12;

const versionColumns = {
  slug: blogPosts.slug,
  id: blogPosts.id,
  version: blogPosts.version,
  revision: blogPosts.revision,
  ...authorColumns,
};

interface VersionRow {
  id: string;
  version: number;
  revision: string;
  fullName: string | null;
  username: string | null;
  avatarUrl: string | null;
}

/** Rows per turn of the event loop. */
const rowsAtOnce = 500;

/** Lists that may contain every published post. */
export const listPaths = ['/blog', '/blog/feed.xml'] as const;
/** Pages that list all months. */
const monthIndexPaths = ['/blog/archive', '/sitemap.xml'] as const;

export const postPath = (slug: string): string => `/blog/${slug}`;
const monthPaths = (month: string): string[] => [
  `/blog/archive/${month}`,
  `/blog/sitemap-${month}.xml`,
];
const monthOfPath = (path: string): string | null =>
  /^\/blog\/archive\/(\d{4}-\d{2})$/.exec(path)?.[1] ?? null;

interface BlogPagesDeps {
  db: Database;
  bodies: Bodies;
  renderer: Pick<Renderer, 'samplePosts'>;
}

/**
 * The blog's pages. A page costs the same for any number of posts. Omits posts that cannot be
 * rendered.
 * @param republish for the pages of a post that turns out to be unrenderable
 */
export function createBlogPages(
  { db, bodies, renderer }: BlogPagesDeps,
  republish: (paths: string[]) => void,
): PublishedPages {
  const selectPosts = () =>
    db
      .select({ ...postColumns, ...bodyColumns })
      .from(blogPosts)
      .leftJoin(profiles, eq(profiles.id, blogPosts.authorId))
      .leftJoin(blogPostBodies, eq(blogPostBodies.postId, blogPosts.id));
  /** Without content and body, which may be long. */
  const selectCards = () =>
    db
      .select({ ...summaryColumns, ...bodySize })
      .from(blogPosts)
      .leftJoin(profiles, eq(profiles.id, blogPosts.authorId))
      .leftJoin(blogPostBodies, eq(blogPostBodies.postId, blogPosts.id));
  const isPublic = and(eq(blogPosts.published, true), isNull(blogPostBodies.problem));
  const samples = createSamples(db, renderer);
  const latest = selectCards()
    .where(isPublic)
    .orderBy(desc(blogPosts.createdAt), desc(blogPosts.id))
    .limit(latestPosts + 1)
    .prepare();
  const inMonth = db
    .select({
      slug: blogPosts.slug,
      title: blogPosts.title,
      createdAt: blogPosts.createdAt,
      updatedAt: blogPosts.updatedAt,
    })
    .from(blogPosts)
    .leftJoin(blogPostBodies, eq(blogPostBodies.postId, blogPosts.id))
    .where(
      and(
        isPublic,
        gte(blogPosts.createdAt, sql.placeholder('from')),
        lt(blogPosts.createdAt, sql.placeholder('to')),
      ),
    )
    .orderBy(desc(blogPosts.createdAt), desc(blogPosts.id))
    .prepare();
  const newestBefore = db
    .select({ at: blogPosts.createdAt })
    .from(blogPosts)
    .leftJoin(blogPostBodies, eq(blogPostBodies.postId, blogPosts.id))
    .where(and(isPublic, lt(blogPosts.createdAt, sql.placeholder('time'))))
    .orderBy(desc(blogPosts.createdAt))
    .limit(1)
    .prepare();
  const bySlug = selectPosts()
    .where(and(eq(blogPosts.slug, sql.placeholder('slug')), isPublic))
    .prepare();
  const isPublished = db
    .select({ id: blogPosts.id })
    .from(blogPosts)
    .leftJoin(blogPostBodies, eq(blogPostBodies.postId, blogPosts.id))
    .where(and(eq(blogPosts.slug, sql.placeholder('slug')), isPublic))
    .prepare();
  const isPublishedId = db
    .select({ id: blogPosts.id })
    .from(blogPosts)
    .where(and(eq(blogPosts.id, sql.placeholder('id')), eq(blogPosts.published, true)))
    .prepare();
  const byOldSlug = db
    .select({ slug: blogPosts.slug })
    .from(blogPostOldSlugs)
    .innerJoin(blogPosts, eq(blogPosts.id, blogPostOldSlugs.postId))
    .where(and(eq(blogPostOldSlugs.slug, sql.placeholder('slug')), eq(blogPosts.published, true)))
    .prepare();

  const movedAfter = db
    .select({ old: blogPostOldSlugs.slug, slug: blogPosts.slug })
    .from(blogPostOldSlugs)
    .innerJoin(blogPosts, eq(blogPosts.id, blogPostOldSlugs.postId))
    .where(and(eq(blogPosts.published, true), gt(blogPostOldSlugs.slug, sql.placeholder('after'))))
    .orderBy(asc(blogPostOldSlugs.slug))
    .limit(rowsAtOnce)
    .prepare();
  const publishedAfter = db
    .select(versionColumns)
    .from(blogPosts)
    .leftJoin(profiles, eq(profiles.id, blogPosts.authorId))
    .leftJoin(blogPostBodies, eq(blogPostBodies.postId, blogPosts.id))
    .where(
      and(
        // The plus keeps SQLite from the index of published posts, by which it would sort all of
        // them again for every batch (sqlite.org/optoverview.html).
        sql`+${blogPosts.published} = 1`,
        isNull(blogPostBodies.problem),
        gt(blogPosts.slug, sql.placeholder('after')),
      ),
    )
    .orderBy(asc(blogPosts.slug))
    .limit(rowsAtOnce)
    .prepare();

  /** The samples in lists; empty once a post is published. */
  const listVersion = (): string => {
    const slugs = samples.list()?.map(({ slug }) => slug);
    return slugs ? `samples:${slugs.join()}` : '';
  };

  async function postsOfMonth(month: string): Promise<(PostLine & Pick<Post, 'updatedAt'>)[]> {
    const ofSite = samples.list();
    if (ofSite) return ofSite.filter(({ createdAt }) => monthOf(createdAt) === month);
    const from = Date.parse(`${month}-01T00:00:00Z`);
    return inMonth.all({ from, to: monthAfter(from) }).map(({ slug, title, ...times }) => ({
      slug,
      title,
      createdAt: new Date(times.createdAt).toISOString(),
      updatedAt: new Date(times.updatedAt).toISOString(),
    }));
  }

  async function monthsWithPosts(): Promise<string[]> {
    const ofSite = samples.list();
    if (ofSite) return [...new Set(ofSite.map(({ createdAt }) => monthOf(createdAt)))];
    const months: string[] = [];
    // Jumps from month to month in the index; DISTINCT would read every post.
    for (let time = Number.MAX_SAFE_INTEGER; ; ) {
      const at = newestBefore.get({ time })?.at ?? null;
      if (at === null) return months;
      const month = monthOf(new Date(at).toISOString());
      months.push(month);
      time = Date.parse(`${month}-01T00:00:00Z`);
    }
  }

  async function bodyOf(row: NonNullable<ReturnType<typeof bySlug.get>>): Promise<PostBody> {
    const body = await bodies.complete(row);
    if ('problem' in body) republish(pathsOf(row.slug, row.createdAt));
    return postBody(body);
  }

  async function feedPosts(): Promise<FeedPost[]> {
    const ofSite = samples.list();
    if (ofSite) {
      return Promise.all(
        ofSite.map(async ({ content, ...post }) => {
          const { bodyHtml } = postBody(await bodies.renderFixed(content));
          return { ...post, bodyHtml };
        }),
      );
    }
    const posts: FeedPost[] = [];
    let room: number = limits.feedHtml;
    for (const row of latest.all()) {
      if (posts.length === latestPosts) break;
      // Not read if it does not fit.
      const isTooLarge = row.bodyBytes !== null && row.bodyBytes > room;
      const body = isTooLarge ? null : await bodies.ofPost(row.id);
      if (body && 'problem' in body) {
        republish(pathsOf(row.slug, row.createdAt));
        continue;
      }
      const bodyHtml = body?.html ?? null;
      room -= bodyHtml?.length ?? 0;
      posts.push({ ...withoutSize(row), bodyHtml });
    }
    return posts;
  }

  async function postAt(slug: string): Promise<Page | null> {
    const row = bySlug.get({ slug });
    if (row) {
      const body = await bodyOf(row);
      if (body.bodyHtml === null) return null;
      return {
        data: { kind: 'post', post: toPagePost(row), ...body },
        version: postVersion(row),
      };
    }
    const moved = byOldSlug.get({ slug });
    if (moved) return { data: { kind: 'moved', to: moved.slug }, version: `moved:${moved.slug}` };
    const sample = samples.find(slug);
    if (!sample) return null;
    const body = postBody(await bodies.renderFixed(sample.content));
    return { data: { kind: 'post', post: sample, ...body }, version: sampleVersion(slug) };
  }

  return {
    lists: [...listPaths, ...monthIndexPaths],

    indexesOf: (path) => (monthOfPath(path) === null ? [] : monthIndexPaths),

    /** Rendering in batches is much faster. */
    async prepare(paths) {
      try {
        const slugs = paths.map(slugOfPath).filter((slug) => slug !== undefined);
        const ids = paths.includes('/blog/feed.xml') ? latest.all().map(({ id }) => id) : [];
        if (slugs.length === 0 && ids.length === 0) return;
        for (const post of await bodies.completeAll({ ids, slugs })) {
          republish(pathsOf(post.slug, post.createdAt));
        }
      } catch {
        // It fails again with its page, which reports it.
      }
    },

    /** Samples depend on posts, and lists may have changed during the previous job. */
    outdated(publishedVersion) {
      const version = listVersion();
      const samplePaths = renderer.samplePosts.map(({ slug }) => postPath(slug));
      const sampleMonths = renderer.samplePosts.flatMap((post) =>
        monthPaths(monthOf(post.createdAt)),
      );
      const lists = [...listPaths, ...monthIndexPaths, ...sampleMonths];
      return [
        ...samplePaths.filter((path) => isSample(publishedVersion(path)) !== isShownSample(path)),
        ...lists.filter((path) => (publishedVersion(path) ?? '') !== version),
      ];
    },

    isGone(path) {
      const slug = slugOfPath(path);
      if (slug === undefined) return false;
      return ![isPublished.get({ slug }), byOldSlug.get({ slug }), samples.find(slug)].some(
        Boolean,
      );
    },

    /** Of a post that is no longer published. */
    isWithdrawn(version) {
      const [id, revision] = version.split('@');
      return revision !== undefined && isPublishedId.get({ id }) === undefined;
    },

    isRedirect: (version) => version.startsWith('moved:'),

    async at(path) {
      // Before any await: the lists below must be of the same moment.
      const version = listVersion();
      switch (path) {
        case '/blog': {
          const posts = samples.list() ?? latest.all().map(withoutSize);
          const data = {
            kind: 'blog' as const,
            posts: posts.slice(0, latestPosts).map(toCard),
            hasOlder: posts.length > latestPosts,
          };
          return { data, version };
        }
        case '/blog/feed.xml': {
          return { data: { kind: 'feed', posts: await feedPosts() }, version };
        }
        case '/blog/archive':
          return { data: { kind: 'archive', months: await monthsWithPosts() }, version };
        case '/sitemap.xml':
          return { data: { kind: 'sitemapIndex', months: await monthsWithPosts() }, version };
      }
      const month = monthOfPath(path);
      if (month !== null) {
        const posts = await postsOfMonth(month);
        const lines = posts.map(({ slug, title, createdAt }) => ({ slug, title, createdAt }));
        const data = { kind: 'archiveMonth' as const, month, posts: lines };
        return posts.length > 0 ? { data, version } : null;
      }
      const sitemapMonth = /^\/blog\/sitemap-(\d{4}-\d{2})\.xml$/.exec(path)?.[1];
      if (sitemapMonth !== undefined) {
        const posts = await postsOfMonth(sitemapMonth);
        const entries = posts.map(({ slug, updatedAt }) => ({ slug, updatedAt }));
        return posts.length > 0
          ? { data: { kind: 'sitemapMonth', posts: entries }, version }
          : null;
      }
      const slug = slugOfPath(path);
      return slug === undefined ? null : postAt(slug);
    },

    async all() {
      const paths = new Map<string, string>();
      const version = listVersion();
      for (const path of [...listPaths, ...monthIndexPaths]) paths.set(path, version);
      for (const month of await monthsWithPosts()) {
        for (const path of monthPaths(month)) paths.set(path, version);
      }
      for (const { slug } of renderer.samplePosts) {
        if (samples.find(slug)) paths.set(postPath(slug), sampleVersion(slug));
      }
      await addMoved(paths);
      // After the old slugs, which posts may have taken since.
      await addPublished(paths);
      return paths;
    },

    async retryFailed(signal) {
      const posts = await bodies.retryOutOfTime(signal);
      return posts.flatMap(({ slug, createdAt }) => pathsOf(slug, createdAt));
    },
  };

  function isShownSample(path: string): boolean {
    const slug = slugOfPath(path);
    return slug !== undefined && samples.find(slug) !== undefined;
  }

  async function addMoved(paths: Map<string, string>): Promise<void> {
    let moved = movedAfter.all({ after: '' });
    while (moved.length > 0) {
      for (const { old, slug } of moved) paths.set(postPath(old), `moved:${slug}`);
      await nextTurn();
      moved = movedAfter.all({ after: moved.at(-1)?.old });
    }
  }

  async function addPublished(paths: Map<string, string>): Promise<void> {
    let posts = publishedAfter.all({ after: '' });
    while (posts.length > 0) {
      for (const post of posts) paths.set(postPath(post.slug), postVersion(post));
      await nextTurn();
      posts = publishedAfter.all({ after: posts.at(-1)?.slug });
    }
  }
}

const sampleVersion = (slug: string): string => `sample:${slug}`;
const isSample = (version: string | undefined): boolean => version?.startsWith('sample:') ?? false;

export const pathsOf = (slug: string, createdAt: number): string[] => [
  postPath(slug),
  ...listPaths,
  ...monthPaths(monthOf(new Date(createdAt).toISOString())),
];

/** Identifies the content, author included, even in diverged copies of the database. */
function postVersion({ id, version, revision, ...row }: VersionRow): string {
  const author = createHash('sha256')
    .update(JSON.stringify(toAuthor(row)))
    .digest('base64url');
  return `${id}@${version}.${revision}.${author.slice(0, 11)}`;
}

const slugOfPath = (path: string): string | undefined => {
  const slug = /^\/blog\/([^/.]+)$/.exec(path)?.[1];
  return slug === 'archive' ? undefined : slug;
};

function monthAfter(time: number): number {
  const start = new Date(time);
  return Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1);
}

// SQLite reads it without the body.
const bodySize = { bodyBytes: sql<number | null>`octet_length(${blogPostBodies.html})` };

const withoutSize = ({ bodyBytes, ...row }: SummaryRow & { bodyBytes: number | null }) =>
  toSummary(row);

const toPagePost = ({
  pipelineVersion,
  problem,
  html,
  ...row
}: PostRow & Record<keyof typeof bodyColumns, unknown>): Post => toPost(row);

const toCard = ({
  id,
  content,
  authorId,
  updatedAt,
  isSample,
  ...card
}: PostSummary & { content?: string }): PostCard => card;
