import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Neighbors, PostBody } from '@app/contract/blog/pages';
import { monthOf, type Post } from '@app/contract/blog/posts';
import type { Database } from '@app/db/open';
import type { Page, PublishedPages } from '../../publishing/pages.ts';
import type { Renderer } from '../../publishing/renderer.ts';
import { createNeighbors, neighborsIn } from '../posts/neighbors.ts';
import { type PostRow, toPost } from '../posts/post-row.ts';
import { createSamples } from '../posts/samples.ts';
import {
  type Bodies,
  type bodyColumns,
  type PostReference,
  postBody,
} from '../rendering/bodies.ts';
import { createListPages } from './list-pages.ts';
import {
  isSampleVersion,
  movedVersion,
  postIdOf,
  postVersion,
  sampleVersion,
} from './page-versions.ts';
import {
  archivedMonth,
  feedPaths,
  listPaths,
  markdownPath,
  monthIndexPaths,
  monthPaths,
  pathsOf,
  postPath,
  postPaths,
  slugOfPath,
} from './post-paths.ts';
import { createPublishedPosts, type VersionRow } from './published-posts.ts';
import { createRelatedPaths } from './related-paths.ts';
import { createTagPages } from './tag-pages.ts';
import { tagPath } from './tag-paths.ts';

interface BlogPagesDeps {
  db: Database;
  bodies: Bodies;
  renderer: Pick<Renderer, 'samplePosts'>;
}

/**
 * The blog's pages, without posts that cannot be rendered. The cost of a page does not depend on
 * the number of posts.
 * @param republish called with the paths of all pages of a post that turns out to be unrenderable
 */
export function createBlogPages(
  { db, bodies, renderer }: BlogPagesDeps,
  republish: (paths: string[]) => void,
): PublishedPages {
  const posts = createPublishedPosts(db);
  const samples = createSamples(db, renderer);
  const neighborsOf = createNeighbors(db);
  const related = createRelatedPaths(db);
  const tagPages = createTagPages(db, samples);
  const leaveOut = (post: PostReference) => republish(pathsWith(post));
  const lists = createListPages({ posts, samples, bodies, tagPages }, leaveOut);

  /** Names the samples that lists show; empty once a post is published. */
  const listVersion = (): string => {
    const slugs = samples.list()?.map(({ slug }) => slug);
    return slugs ? `samples:${slugs.join()}` : '';
  };

  /** The paths of all pages that show a post. */
  const pathsWith = (post: PostReference): string[] => [
    ...pathsOf(post.slug, post.createdAt),
    ...related.ofPost(post),
  ];

  async function bodyOf(row: NonNullable<ReturnType<typeof posts.bySlug.get>>): Promise<PostBody> {
    const body = await bodies.complete(row);
    if ('problem' in body) leaveOut(row);
    return postBody(body);
  }

  async function postAt(path: string, slug: string): Promise<Page | null> {
    const isMarkdown = path === markdownPath(slug);
    const row = posts.bySlug.get({ slug });
    if (row) {
      const body = await bodyOf(row);
      if (body.bodyHtml === null) return null;
      const post = toPagePost(row);
      if (isMarkdown) return { data: { kind: 'postMarkdown', post }, version: postVersion(row) };
      const neighbors = neighborsOf(row);
      const data = { kind: 'post' as const, post, neighbors, ...body };
      return { data, version: postVersion(row, neighbors) };
    }
    const moved = posts.byOldSlug.get({ slug });
    if (moved) {
      const kind = isMarkdown ? 'movedMarkdown' : 'moved';
      return { data: { kind, to: moved.slug }, version: movedVersion(moved.slug) };
    }
    const sample = samples.find(slug);
    if (!sample) return null;
    const version = sampleVersion(slug, listVersion());
    if (isMarkdown) return { data: { kind: 'postMarkdown', post: sample }, version };
    const neighbors = neighborsIn(samples.list() ?? [], slug);
    const body = postBody(await bodies.renderFixed(sample.content));
    return { data: { kind: 'post', post: sample, neighbors, ...body }, version };
  }

  async function addMoved(paths: Map<string, string>): Promise<void> {
    for (const batch of posts.moved()) {
      for (const { old, slug } of batch) {
        for (const path of postPaths(old)) paths.set(path, movedVersion(slug));
      }
      await nextTurn();
    }
  }

  async function addPublished(paths: Map<string, string>): Promise<void> {
    let previous: VersionRow | null = null;
    let post: VersionRow | null = null;
    for (const batch of posts.versions()) {
      for (const next of batch) {
        if (post) add(post, { previous, next });
        previous = post;
        post = next;
      }
      await nextTurn();
    }
    if (post) add(post, { previous, next: null });

    function add(row: VersionRow, neighbors: Neighbors): void {
      paths.set(postPath(row.slug), postVersion(row, neighbors));
      paths.set(markdownPath(row.slug), postVersion(row));
    }
  }

  return {
    lists: [...listPaths, ...monthIndexPaths],

    indexesOf: (path) => (archivedMonth(path) === null ? [] : monthIndexPaths),

    /** Rendering in batches is much faster. */
    async prepare(paths) {
      try {
        const slugs = paths.map(slugOfPath).filter((slug) => slug !== undefined);
        const hasFeed = paths.some((path) => feedPaths.includes(path));
        const ids = hasFeed ? posts.latest.all().map(({ id }) => id) : [];
        if (slugs.length === 0 && ids.length === 0) return;
        for (const post of await bodies.completeAll({ ids, slugs })) leaveOut(post);
      } catch {
        // Rendering the page fails in the same way, and reports the error.
      }
    },

    /** Samples are listed only while there are no posts, and that may change during a job. */
    outdated(publishedVersion) {
      const version = listVersion();
      const ownPaths = renderer.samplePosts.flatMap(({ slug }) => {
        const wanted = samples.find(slug) && sampleVersion(slug, version);
        return postPaths(slug).map((path) => ({ path, wanted }));
      });
      const sampleMonths = renderer.samplePosts.flatMap((post) =>
        monthPaths(monthOf(post.createdAt)),
      );
      const sampleTags = renderer.samplePosts.flatMap(({ tags }) =>
        tags.map(({ slug }) => tagPath(slug)),
      );
      const allLists = [...listPaths, ...monthIndexPaths, ...sampleMonths, ...sampleTags];
      return [
        ...ownPaths
          .filter(({ path, wanted }) => {
            const shown = publishedVersion(path);
            return isSampleVersion(shown) ? shown !== wanted : wanted !== undefined;
          })
          .map(({ path }) => path),
        ...allLists.filter((path) => (publishedVersion(path) ?? '') !== version),
      ];
    },

    isGone(path) {
      const slug = slugOfPath(path);
      if (slug === undefined) return false;
      return !(posts.withSlug.get({ slug }) ?? posts.byOldSlug.get({ slug }) ?? samples.find(slug));
    },

    /** Whether the page is of a post that is no longer published. */
    isWithdrawn(version) {
      const id = postIdOf(version);
      return id !== undefined && posts.withId.get({ id }) === undefined;
    },

    async at(path) {
      const slug = slugOfPath(path);
      if (slug !== undefined) return postAt(path, slug);
      // Read before any await, so that the version matches the lists.
      const version = listVersion();
      const data = await lists.dataAt(path);
      return data && { data, version };
    },

    async all() {
      const paths = new Map<string, string>();
      const version = listVersion();
      for (const path of [...listPaths, ...monthIndexPaths]) paths.set(path, version);
      for (const month of lists.months()) {
        for (const path of monthPaths(month)) paths.set(path, version);
      }
      for (const path of await tagPages.all()) paths.set(path, version);
      for (const { slug } of renderer.samplePosts) {
        if (!samples.find(slug)) continue;
        for (const path of postPaths(slug)) paths.set(path, sampleVersion(slug, version));
      }
      await addMoved(paths);
      // After the old slugs, because a published post may have taken one of them.
      await addPublished(paths);
      return paths;
    },

    async retryFailed(signal) {
      const fixed = await bodies.retryOutOfTime(signal);
      return fixed.flatMap(pathsWith);
    },
  };
}

const toPagePost = ({
  pipelineVersion,
  problem,
  words,
  isRich,
  outlineHtml,
  html,
  ...row
}: PostRow & Record<keyof typeof bodyColumns, unknown>): Post => toPost(row);
