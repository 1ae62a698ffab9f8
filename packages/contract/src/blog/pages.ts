import type { Post, PostSummary } from './posts.ts';

/** A post in a list: everything but the body and what only its editor needs. */
export type PostCard = Pick<
  Post,
  'slug' | 'title' | 'excerpt' | 'coverImage' | 'published' | 'author' | 'createdAt'
>;

/** A post's content as safe HTML. Null when it cannot be rendered: `bodyProblem` says why and what to do. */
export interface PostBody {
  bodyHtml: string | null;
  bodyProblem: string | null;
}

/** A post in the feed: with its body, or null where the feed would become too large. */
export type FeedPost = PostSummary & Pick<PostBody, 'bodyHtml'>;

/** A post in the archive. */
export type PostLine = Pick<Post, 'slug' | 'title' | 'createdAt'>;

declare module '../pages.ts' {
  interface RenderedPages {
    /** /blog: the newest posts, and the newest month of the archive when there are more. */
    blog: { posts: PostCard[]; hasOlder: boolean };
    /** /blog/{slug} */
    post: { post: Post } & PostBody;
    /** /blog/{slug} of a post that has another slug by now: `to`. */
    moved: { to: string };
    /** /blog/archive: every month with posts, newest first, as 2025-03. */
    archive: { months: string[] };
    /** /blog/archive/{month}: its posts, newest first. A line each, for a month may hold hundreds. */
    archiveMonth: { month: string; posts: PostLine[] };
    /** /blog/feed.xml: the newest posts with their bodies. */
    feed: { posts: FeedPost[] };
    /** /sitemap.xml: the index of the shards. */
    sitemapIndex: { months: string[] };
    /** /blog/sitemap-{month}.xml: the posts of one month. */
    sitemapMonth: { posts: Pick<Post, 'slug' | 'updatedAt'>[] };
    /** /blog/editor/{slug}: the post to edit, so that the form is filled in before any script runs. */
    edit: {
      /** Null when there is none; a sample is the start of a new post. */
      post: Post | null;
    };
    /** /blog/{slug} and /blog/editor/{slug} where no post can be shown. */
    noPost: { reason: 'not-found' | 'failed' | 'editor-failed' };
  }
}
