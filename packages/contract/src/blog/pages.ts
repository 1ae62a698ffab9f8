import type { Post, PostSummary } from './posts.ts';

export type PostCard = Pick<
  Post,
  'slug' | 'title' | 'excerpt' | 'coverImage' | 'published' | 'author' | 'createdAt'
>;

/** Safe HTML. Null if the content cannot be rendered: `bodyProblem` says why. */
export interface PostBody {
  bodyHtml: string | null;
  bodyProblem: string | null;
}

/** `bodyHtml` is null when the feed would become too large. */
export type FeedPost = PostSummary & Pick<PostBody, 'bodyHtml'>;

export type PostLine = Pick<Post, 'slug' | 'title' | 'createdAt'>;

declare module '../pages.ts' {
  interface RenderedPages {
    /** /blog: the newest posts. */
    blog: { posts: PostCard[]; hasOlder: boolean };
    /** /blog/{slug} */
    post: { post: Post } & PostBody;
    /** /blog/{slug}: an old slug redirects. */
    moved: { to: string };
    /** /blog/archive: months with posts, newest first, such as 2025-03. */
    archive: { months: string[] };
    /** /blog/archive/{month}: newest first. A line per post, because there may be hundreds. */
    archiveMonth: { month: string; posts: PostLine[] };
    /** /blog/feed.xml */
    feed: { posts: FeedPost[] };
    /** /sitemap.xml */
    sitemapIndex: { months: string[] };
    /** /blog/sitemap-{month}.xml */
    sitemapMonth: { posts: Pick<Post, 'slug' | 'updatedAt'>[] };
    /** /blog/editor/{slug}: the form is filled in without JavaScript. */
    edit: {
      /** Null if there is none. A sample becomes a new post. */
      post: Post | null;
    };
    /** /blog/{slug} and /blog/editor/{slug} when no post can be shown. */
    noPost: { reason: 'not-found' | 'failed' | 'editor-failed' };
  }
}
