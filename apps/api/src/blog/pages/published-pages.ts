import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PostBody } from '@app/contract/blog/pages';
import { monthOf, type Post } from '@app/contract/blog/posts';
import type { Database } from '@app/db/open';
import type { IsRedirect, Page, PublishedPages } from '../../publishing/pages.ts';
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
import { markdownOf, movedMarkdown } from './post-markdown.ts';
import {
  feedPaths,
  listPaths,
  markdownPath,
  monthIndexPaths,
  monthPaths,
  oldFeedPath,
  pathsOf,
  postPaths,
  slugOfPath,
} from './post-paths.ts';
import { createPublishedPosts } from './published-posts.ts';
import { createRelatedPaths } from './related-paths.ts';
import { createTagPages } from './tag-pages.ts';
import { tagPath } from './tag-paths.ts';

interface BlogPagesDeps {
  db: Database;
  bodies: Bodies;
  renderer: Pick<Renderer, 'samplePosts'>;
  settings: { publicUrl: string };
}

/**
 * The blog's pages, without posts that cannot be rendered. The cost of a page does not depend on
 * the number of posts.
 * @param republish called with the paths of all pages of a post that turns out to be unrenderable
 */
export function createBlogPages(
  { db, bodies, renderer, settings: { publicUrl } }: BlogPagesDeps,
  republish: (paths: string[]) => void,
): PublishedPages {
  const posts = createPublishedPosts(db);
  const samples = createSamples(db, renderer);
  const neighborsOf = createNeighbors(db);
  const related = createRelatedPaths(db);
  const tagPages = createTagPages(db, samples);
  const leaveOut = (post: PostReference) => republish(pathsWith(post));
  const lists = createListPages({ posts, samples, bodies, tagPages }, leaveOut);

  /** The paths of all pages that show a post. */
  const pathsWith = (post: PostReference): string[] => [
    ...pathsOf(post.slug, post.createdAt),
    ...monthIndexPaths,
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
      if (isMarkdown) return { text: markdownOf(post, publicUrl) };
      return { data: { kind: 'post', post, neighbors: neighborsOf(row), ...body } };
    }
    const moved = posts.byOldSlug.get({ slug });
    if (moved) {
      const { slug: to } = moved;
      return isMarkdown ? { text: movedMarkdown(to, publicUrl) } : { data: { kind: 'moved', to } };
    }
    const sample = samples.find(slug);
    if (!sample) return null;
    if (isMarkdown) return { text: markdownOf(sample, publicUrl) };
    const neighbors = neighborsIn(samples.list() ?? [], slug);
    const body = postBody(await bodies.renderFixed(sample.content));
    return { data: { kind: 'post', post: sample, neighbors, ...body } };
  }

  return {
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

    /** A change of any post can add or remove samples. */
    unlogged: {
      version() {
        const found = renderer.samplePosts.filter(({ slug }) => samples.find(slug));
        return JSON.stringify([samples.list() !== null, found.map(({ slug }) => slug)]);
      },
      paths: () => [
        ...renderer.samplePosts.flatMap(({ slug, createdAt, tags }) => [
          ...postPaths(slug),
          ...monthPaths(monthOf(createdAt)),
          ...tags.map((tag) => tagPath(tag.slug)),
        ]),
        ...listPaths,
        ...monthIndexPaths,
      ],
    },

    isWithdrawn(path) {
      const slug = slugOfPath(path);
      return slug !== undefined && posts.withSlug.get({ slug }) === undefined;
    },

    async at(path) {
      const slug = slugOfPath(path);
      if (slug !== undefined) return postAt(path, slug);
      const data = await lists.dataAt(path);
      return data && { data };
    },

    async all() {
      const paths = new Set<string>([...listPaths, ...monthIndexPaths]);
      const add = (more: Iterable<string>) => {
        for (const path of more) paths.add(path);
      };
      add(lists.months().flatMap(monthPaths));
      add(await tagPages.all());
      add(renderer.samplePosts.flatMap(({ slug }) => postPaths(slug)));
      for (const rows of posts.slugs()) {
        add(rows.flatMap(({ slug }) => postPaths(slug)));
        await nextTurn();
      }
      return paths;
    },

    async retryFailed(signal) {
      const fixed = await bodies.retryOutOfTime(signal);
      return fixed.flatMap(pathsWith);
    },
  };
}

/** Whether the app redirects a path: the former one of the feed, or an old slug. */
export function createRedirects(db: Database): IsRedirect {
  const { withSlug, byOldSlug } = createPublishedPosts(db);
  return (path) => {
    if (path === oldFeedPath) return true;
    const slug = slugOfPath(path);
    if (slug === undefined || withSlug.get({ slug })) return false;
    return byOldSlug.get({ slug }) !== undefined;
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
