import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FeedPost, Neighbors, PostBody, PostLine, PostLink } from '@app/contract/blog/pages';
import { monthOf, type Post } from '@app/contract/blog/posts';
import { limits } from '@app/contract/limits';
import type { Database } from '@app/db/open';
import { profiles } from '@app/db/schema/accounts';
import { blogPostBodies, blogPostOldSlugs, blogPosts } from '@app/db/schema/blog';
import { and, asc, desc, eq, gt, gte, isNull, lt, sql } from 'drizzle-orm';
import type { Page, PublishedPages } from '../publishing/pages.ts';
import type { Renderer } from '../publishing/renderer.ts';
import { type AuthorProfile, authorColumns, toAuthor } from './author.ts';
import { type Bodies, bodyColumns, type PostPlace, postBody } from './bodies.ts';
import { monthOfTime, monthsWith, rangeOfMonth } from './months.ts';
import { createNeighbors, neighborsIn } from './neighbors.ts';
import { markdownPath, postPath, postPaths, sitemapPath } from './post-paths.ts';
import {
  type PostRow,
  postColumns,
  type SummaryRow,
  summaryColumns,
  toCard,
  toPost,
  toSummary,
} from './post-row.ts';
import { createRelatedPaths } from './related-paths.ts';
import { createSamples } from './samples.ts';
import { createTagPages } from './tag-pages.ts';
import { tagPath } from './tag-paths.ts';

const versionColumns = {
  slug: blogPosts.slug,
  title: blogPosts.title,
  createdAt: blogPosts.createdAt,
  id: blogPosts.id,
  version: blogPosts.version,
  revision: blogPosts.revision,
  ...authorColumns,
};

interface VersionRow extends AuthorVersion, PostLink {}

interface AuthorVersion extends AuthorProfile {
  id: string;
  version: number;
  revision: string;
}

/** Rows per turn of the event loop. */
const rowsAtOnce = 500;

/** The server redirects it to the RSS feed. On static hosts it is a copy of it. */
export const oldFeedPath = '/blog/feed.xml';
const feedPaths: readonly string[] = [
  '/blog/rss.xml',
  '/blog/atom.xml',
  '/blog/feed.json',
  oldFeedPath,
];
/** Lists that may contain every published post. */
export const listPaths: readonly string[] = ['/blog', ...feedPaths, '/llms.txt'];
/** Pages that list all months. */
const monthIndexPaths = ['/blog/archive', '/sitemap.xml'] as const;

/** What an author looks at after a save. */
export const pathsShownFirst = (slug: string): string[] => [...postPaths(slug), '/blog'];
const monthPaths = (month: string): string[] => [`/blog/archive/${month}`, sitemapPath(month)];
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
    .limit(limits.latestPosts + 1)
    .prepare();
  const inMonth = db
    .select({
      slug: blogPosts.slug,
      title: blogPosts.title,
      tags: blogPosts.tags,
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
  const neighborsOf = createNeighbors(db);
  const related = createRelatedPaths(db);
  const tagPages = createTagPages(db, samples);
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
  const isAfter = sql`(${blogPosts.createdAt}, ${blogPosts.id}) > (${sql.placeholder('createdAt')}, ${sql.placeholder('id')})`;
  const publishedAfter = db
    .select(versionColumns)
    .from(blogPosts)
    .leftJoin(profiles, eq(profiles.id, blogPosts.authorId))
    .leftJoin(blogPostBodies, eq(blogPostBodies.postId, blogPosts.id))
    .where(and(isPublic, isAfter))
    .orderBy(asc(blogPosts.createdAt), asc(blogPosts.id))
    .limit(rowsAtOnce)
    .prepare();

  /** The samples in lists; empty once a post is published. */
  const listVersion = (): string => {
    const slugs = samples.list()?.map(({ slug }) => slug);
    return slugs ? `samples:${slugs.join()}` : '';
  };

  async function postsOfMonth(
    month: string,
  ): Promise<(PostLine & Pick<Post, 'updatedAt' | 'tags'>)[]> {
    const ofSite = samples.list();
    if (ofSite) return ofSite.filter(({ createdAt }) => monthOf(createdAt) === month);
    return inMonth.all(rangeOfMonth(month)).map(({ slug, title, tags, ...times }) => ({
      slug,
      title,
      tags,
      createdAt: new Date(times.createdAt).toISOString(),
      updatedAt: new Date(times.updatedAt).toISOString(),
    }));
  }

  async function monthsWithPosts(): Promise<string[]> {
    const ofSite = samples.list();
    if (ofSite) return [...new Set(ofSite.map(({ createdAt }) => monthOf(createdAt)))];
    return monthsWith((time) => newestBefore.get({ time })?.at);
  }

  /** All pages with a post. */
  const pathsWith = (post: PostPlace): string[] => [
    ...pathsOf(post.slug, post.createdAt),
    ...related.ofPost(post),
  ];

  async function bodyOf(row: NonNullable<ReturnType<typeof bySlug.get>>): Promise<PostBody> {
    const body = await bodies.complete(row);
    if ('problem' in body) republish(pathsWith(row));
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
      if (posts.length === limits.latestPosts) break;
      // Not read if it does not fit.
      const isTooLarge = row.bodyBytes !== null && row.bodyBytes > room;
      const body = isTooLarge ? null : await bodies.ofPost(row.id);
      if (body && 'problem' in body) {
        republish(pathsWith(row));
        continue;
      }
      const bodyHtml = body?.html ?? null;
      room -= bodyHtml?.length ?? 0;
      posts.push({ ...withoutSize(row), bodyHtml });
    }
    return posts;
  }

  /** As HTML, or as Markdown. */
  async function postAt(path: string, slug: string): Promise<Page | null> {
    const isMarkdown = path === markdownPath(slug);
    const row = bySlug.get({ slug });
    if (row) {
      const body = await bodyOf(row);
      if (body.bodyHtml === null) return null;
      const post = toPagePost(row);
      if (isMarkdown) return { data: { kind: 'postMarkdown', post }, version: postVersion(row) };
      const neighbors = neighborsOf(row);
      const data = { kind: 'post' as const, post, neighbors, ...body };
      return { data, version: postVersion(row, neighbors) };
    }
    const moved = byOldSlug.get({ slug });
    if (moved) {
      const kind = isMarkdown ? 'movedMarkdown' : 'moved';
      return { data: { kind, to: moved.slug }, version: `moved:${moved.slug}` };
    }
    const sample = samples.find(slug);
    if (!sample) return null;
    const version = sampleVersion(slug, listVersion());
    if (isMarkdown) return { data: { kind: 'postMarkdown', post: sample }, version };
    const neighbors = neighborsIn(samples.list() ?? [], slug);
    const body = postBody(await bodies.renderFixed(sample.content));
    return { data: { kind: 'post', post: sample, neighbors, ...body }, version };
  }

  return {
    lists: [...listPaths, ...monthIndexPaths],

    indexesOf: (path) => (monthOfPath(path) === null ? [] : monthIndexPaths),

    /** Rendering in batches is much faster. */
    async prepare(paths) {
      try {
        const slugs = paths.map(slugOfPath).filter((slug) => slug !== undefined);
        const hasFeed = paths.some((path) => feedPaths.includes(path));
        const ids = hasFeed ? latest.all().map(({ id }) => id) : [];
        if (slugs.length === 0 && ids.length === 0) return;
        for (const post of await bodies.completeAll({ ids, slugs })) {
          republish(pathsWith(post));
        }
      } catch {
        // It fails again with its page, which reports it.
      }
    },

    /** Samples depend on posts, and lists may have changed during the previous job. */
    outdated(publishedVersion) {
      const version = listVersion();
      const ownPaths = renderer.samplePosts.flatMap(({ slug }) =>
        postPaths(slug).map((path) => ({ path, wanted: wantedVersion(slug, version) })),
      );
      const sampleMonths = renderer.samplePosts.flatMap((post) =>
        monthPaths(monthOf(post.createdAt)),
      );
      const sampleTags = renderer.samplePosts.flatMap(({ tags }) =>
        tags.map(({ slug }) => tagPath(slug)),
      );
      const lists = [...listPaths, ...monthIndexPaths, ...sampleMonths, ...sampleTags];
      return [
        ...ownPaths
          .filter(({ path, wanted }) => {
            const shown = publishedVersion(path);
            return isSample(shown) ? shown !== wanted : wanted !== undefined;
          })
          .map(({ path }) => path),
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

    isRedirect: (path, version) => path === oldFeedPath || version.startsWith('moved:'),

    async at(path) {
      const slug = slugOfPath(path);
      if (slug !== undefined) return postAt(path, slug);
      // Before any await: the lists below must be of the same moment.
      const version = listVersion();
      switch (path) {
        case '/blog': {
          const posts = samples.list() ?? latest.all().map(withoutSize);
          const data = {
            kind: 'blog' as const,
            posts: posts.slice(0, limits.latestPosts).map(toCard),
            hasOlder: posts.length > limits.latestPosts,
          };
          return { data, version };
        }
        case '/llms.txt': {
          const posts = samples.list() ?? latest.all();
          const lines = posts
            .slice(0, limits.latestPosts)
            .map(({ slug, title, excerpt }) => ({ slug, title, excerpt }));
          return { data: { kind: 'llms', posts: lines }, version };
        }
        case '/blog/archive':
          return { data: { kind: 'archive', months: await monthsWithPosts() }, version };
        case '/sitemap.xml':
          return { data: { kind: 'sitemapIndex', months: await monthsWithPosts() }, version };
      }
      if (feedPaths.includes(path)) {
        return { data: { kind: 'feed', posts: await feedPosts() }, version };
      }
      const ofTag = tagPages.dataAt(path);
      if (ofTag) return { data: ofTag, version };
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
        const tags = tagPages.firstUsedIn(sitemapMonth, posts);
        return posts.length > 0
          ? { data: { kind: 'sitemapMonth', tags, posts: entries }, version }
          : null;
      }
      return null;
    },

    async all() {
      const paths = new Map<string, string>();
      const version = listVersion();
      for (const path of [...listPaths, ...monthIndexPaths]) paths.set(path, version);
      for (const month of await monthsWithPosts()) {
        for (const path of monthPaths(month)) paths.set(path, version);
      }
      for (const path of await tagPages.all()) paths.set(path, version);
      for (const { slug } of renderer.samplePosts) {
        if (!samples.find(slug)) continue;
        for (const path of postPaths(slug)) paths.set(path, sampleVersion(slug, version));
      }
      await addMoved(paths);
      // After the old slugs, which posts may have taken since.
      await addPublished(paths);
      return paths;
    },

    async retryFailed(signal) {
      const posts = await bodies.retryOutOfTime(signal);
      return posts.flatMap(pathsWith);
    },
  };

  /** Undefined if the sample is not shown. */
  function wantedVersion(slug: string, lists: string): string | undefined {
    return samples.find(slug) && sampleVersion(slug, lists);
  }

  async function addMoved(paths: Map<string, string>): Promise<void> {
    let moved = movedAfter.all({ after: '' });
    while (moved.length > 0) {
      for (const { old, slug } of moved) {
        for (const path of postPaths(old)) paths.set(path, `moved:${slug}`);
      }
      await nextTurn();
      moved = movedAfter.all({ after: moved.at(-1)?.old });
    }
  }

  async function addPublished(paths: Map<string, string>): Promise<void> {
    let previous: VersionRow | null = null;
    let post: VersionRow | null = null;
    let rows = publishedAfter.all({ createdAt: Number.MIN_SAFE_INTEGER, id: '' });
    while (rows.length > 0) {
      for (const next of rows) {
        if (post) add(post, { previous, next });
        previous = post;
        post = next;
      }
      await nextTurn();
      rows = publishedAfter.all(rows.at(-1));
    }
    if (post) add(post, { previous, next: null });

    function add(row: VersionRow, neighbors: Neighbors): void {
      paths.set(postPath(row.slug), postVersion(row, neighbors));
      paths.set(markdownPath(row.slug), postVersion(row));
    }
  }
}

/** Samples show their neighbors and tags while they are the blog. */
const sampleVersion = (slug: string, lists: string): string => `sample:${slug} ${lists}`;
const isSample = (version: string | undefined): boolean => version?.startsWith('sample:') ?? false;

export const pathsOf = (slug: string, createdAt: number): string[] => [
  ...postPaths(slug),
  ...listPaths,
  ...monthPaths(monthOfTime(createdAt)),
];

/**
 * Identifies the content, author included, even in diverged copies of the database.
 * @param neighbors if the page shows them
 */
function postVersion({ id, version, revision, ...row }: AuthorVersion, neighbors?: Neighbors) {
  const links = [neighbors?.previous, neighbors?.next].map(
    (link) => link && [link.slug, link.title],
  );
  const shown = JSON.stringify(neighbors ? [toAuthor(row), ...links] : toAuthor(row));
  return `${id}@${version}.${revision}.${hash('sha256', shown, 'base64url').slice(0, 11)}`;
}

const slugOfPath = (path: string): string | undefined => {
  const slug = /^\/blog\/([^/.]+)(?:\.md)?$/.exec(path)?.[1];
  return slug === 'archive' ? undefined : slug;
};

// SQLite reads it without the body.
const bodySize = { bodyBytes: sql<number | null>`octet_length(${blogPostBodies.html})` };

const withoutSize = ({ bodyBytes, ...row }: SummaryRow & { bodyBytes: number | null }) =>
  toSummary(row);

const toPagePost = ({
  pipelineVersion,
  problem,
  words,
  isRich,
  outlineHtml,
  html,
  ...row
}: PostRow & Record<keyof typeof bodyColumns, unknown>): Post => toPost(row);
