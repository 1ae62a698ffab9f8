import type { FeedPost, PostLine } from '@app/contract/blog/pages';
import { monthOf, type Post } from '@app/contract/blog/posts';
import { limits } from '@app/contract/limits';
import type { PageData } from '@app/contract/pages';
import { toIso } from '../../clock.ts';
import { type SummaryRow, toCard, toSummary } from '../posts/post-row.ts';
import type { Samples } from '../posts/samples.ts';
import { type Bodies, type PostReference, postBody } from '../rendering/bodies.ts';
import { rangeOfMonth } from './months.ts';
import { archivedMonth, feedPaths, sitemapMonth } from './post-paths.ts';
import type { PublishedPosts } from './published-posts.ts';
import type { TagPages } from './tag-pages.ts';

const { latestPosts } = limits;

interface ListPagesDeps {
  posts: PublishedPosts;
  samples: Samples;
  bodies: Bodies;
  tagPages: TagPages;
}

/**
 * Pages that list posts: the blog, its archive, feeds, sitemaps and tag pages.
 * @param leaveOut called with a post that turns out to be unrenderable
 */
export function createListPages(
  { posts, samples, bodies, tagPages }: ListPagesDeps,
  leaveOut: (post: PostReference) => void,
) {
  function postsOfMonth(month: string): (PostLine & Pick<Post, 'updatedAt' | 'tags'>)[] {
    const ofSite = samples.list();
    if (ofSite) return ofSite.filter(({ createdAt }) => monthOf(createdAt) === month);
    return posts.inMonth.all(rangeOfMonth(month)).map(({ slug, title, tags, ...times }) => ({
      slug,
      title,
      tags,
      createdAt: toIso(times.createdAt),
      updatedAt: toIso(times.updatedAt),
    }));
  }

  function months(): string[] {
    const ofSite = samples.list();
    if (ofSite) return [...new Set(ofSite.map(({ createdAt }) => monthOf(createdAt)))];
    return posts.months.all().map(({ month }) => month);
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
    const shown: FeedPost[] = [];
    let room: number = limits.feedHtml;
    for (const row of posts.latest.all()) {
      if (shown.length === latestPosts) break;
      // A body that does not fit is not read.
      const isTooLarge = row.bodyBytes !== null && row.bodyBytes > room;
      const body = isTooLarge ? null : await bodies.ofPost(row.id);
      if (body && 'problem' in body) {
        leaveOut(row);
        continue;
      }
      const bodyHtml = body?.html ?? null;
      room -= bodyHtml?.length ?? 0;
      shown.push({ ...withoutSize(row), bodyHtml });
    }
    return shown;
  }

  function archiveMonth(month: string): PageData | null {
    const lines = postsOfMonth(month).map(({ slug, title, createdAt }) => ({
      slug,
      title,
      createdAt,
    }));
    return lines.length > 0 ? { kind: 'archiveMonth', month, posts: lines } : null;
  }

  function monthSitemap(month: string): PageData | null {
    const ofMonth = postsOfMonth(month);
    const entries = ofMonth.map(({ slug, updatedAt }) => ({ slug, updatedAt }));
    const tags = tagPages.firstUsedIn(month, ofMonth);
    return entries.length > 0 ? { kind: 'sitemapMonth', tags, posts: entries } : null;
  }

  return {
    months,

    async dataAt(path: string): Promise<PageData | null> {
      switch (path) {
        case '/blog': {
          const all = samples.list() ?? posts.latest.all().map(withoutSize);
          const cards = all.slice(0, latestPosts).map(toCard);
          return { kind: 'blog', posts: cards, hasOlder: all.length > latestPosts };
        }
        case '/llms.txt': {
          const lines = (samples.list() ?? posts.latest.all())
            .slice(0, latestPosts)
            .map(({ slug, title, excerpt }) => ({ slug, title, excerpt }));
          return { kind: 'llms', posts: lines };
        }
        case '/blog/archive':
          return { kind: 'archive', months: months() };
        case '/sitemap.xml':
          return { kind: 'sitemapIndex', months: months() };
      }
      if (feedPaths.includes(path)) return { kind: 'feed', posts: await feedPosts() };
      const archived = archivedMonth(path);
      if (archived !== null) return archiveMonth(archived);
      const mapped = sitemapMonth(path);
      if (mapped !== null) return monthSitemap(mapped);
      return tagPages.dataAt(path);
    },
  };
}

const withoutSize = ({ bodyBytes, ...row }: SummaryRow & { bodyBytes: number | null }) =>
  toSummary(row);
