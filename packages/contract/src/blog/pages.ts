import type { DraftLink } from './draft-link-replies.ts';
import type { Draft } from './draft-replies.ts';
import type { Picture } from './picture-replies.ts';
import type { Post, PostSummary, Tag } from './posts.ts';
import type { Revision, RevisionPart } from './revision-replies.ts';
import type { SearchResults } from './search.ts';

export type PostCard = Pick<
  Post,
  'slug' | 'title' | 'excerpt' | 'coverImage' | 'published' | 'author' | 'createdAt'
>;

export interface PostBody {
  /** Sanitized HTML. Null if the content cannot be rendered; `bodyProblem` says why. */
  bodyHtml: string | null;
  bodyProblem: string | null;
  /** The table of contents as nested lists of links. Null for a short post. */
  outlineHtml: string | null;
  words: number;
  /** Whether the body needs the stylesheet for less common elements. */
  isRich: boolean;
}

/** `bodyHtml` is null if the feed would otherwise become too large. */
export type FeedPost = PostSummary & Pick<PostBody, 'bodyHtml'>;

export interface TrashedPost {
  id: string;
  title: string;
  slug: string;
  wasPublished: boolean;
  /** The name is null if the user has no profile or deleted their account. */
  deletedBy: 'you' | { name: string | null };
  deletedAt: string;
  /** When it will be deleted forever. */
  erasedAt: string;
}

export type PostLine = Pick<Post, 'slug' | 'title' | 'createdAt'>;

export type PostLink = Pick<Post, 'slug' | 'title'>;

/** The posts created before and after a post; null if there is none. */
export interface Neighbors {
  previous: PostLink | null;
  next: PostLink | null;
}

/** Unsaved text of a new post. */
export type RestoredDraft = Pick<Draft, 'id' | 'updatedAt' | 'fields'>;

/** A revision compared with the previous or the current one, or alone if there is no other. */
export interface RevisionComparison {
  revision: Revision;
  with: 'before' | 'current';
  /** Null if there is no other; `parts` then has the whole texts. */
  other: Pick<Revision, 'version' | 'savedAt'> | null;
  /** What differs, as sanitized HTML. Null if too many comparisons are waiting. */
  parts: { part: RevisionPart; html: string }[] | null;
}

export type PictureUse =
  /** `isOld`: only earlier versions of the post have it. */
  | { in: 'post'; title: string; slug: string; isOld: boolean }
  | { in: 'trash'; title: string }
  /** The user's own unsaved text. `path` opens it in the editor. */
  | { in: 'unsaved'; title: string; path: string }
  /** Other people's drafts and unsaved text, which the user may not see. */
  | { in: 'hidden' };

export interface UsedPicture extends Picture {
  uses: PictureUse[];
}

declare module '../pages.ts' {
  interface RenderedPages {
    /** /blog: the newest posts. */
    blog: { posts: PostCard[]; hasOlder: boolean };
    /** /blog/{slug} */
    post: {
      post: Post;
      neighbors: Neighbors;
      /** For /blog/editor/{slug}, if the user cannot change the post. */
      insteadOfEditor?: true;
    } & PostBody;
    /** /blog/draft/{token}: a draft for people without an account. */
    draftLink: {
      post: Post;
      expiresAt: string;
      /** When the pinned version was saved; null if the link follows the draft. */
      pinnedTo: string | null;
    } & PostBody;
    /** /blog/{slug}: redirects from an old slug. */
    moved: { to: string };
    /** /llms.txt: the newest posts. */
    llms: { posts: Pick<Post, 'slug' | 'title' | 'excerpt'>[] };
    /** /blog/search */
    search: {
      query: string;
      /** Null if there is no query, or a problem. */
      found: SearchResults | null;
      problem: string | null;
    };
    /** /blog/archive: months that have posts, newest first, such as 2025-03. */
    archive: { months: string[] };
    /** /blog/archive/{month}: newest first. One line per post, because there can be hundreds. */
    archiveMonth: { month: string; posts: PostLine[] };
    /** /blog/tag/{tag}: its newest posts. `months` is empty if there are no older ones. */
    tag: { tag: Tag; posts: PostCard[]; months: string[] };
    /** /blog/tag/{tag}/{month}: newest first. */
    tagMonth: { tag: Tag; month: string; posts: PostLine[] };
    /** /blog/rss.xml, /blog/atom.xml, /blog/feed.json */
    feed: { posts: FeedPost[] };
    /** /sitemap.xml */
    sitemapIndex: { months: string[] };
    /** /blog/sitemap-{month}.xml, with the tags whose oldest post is from this month. */
    sitemapMonth: { tags: string[]; posts: Pick<Post, 'slug' | 'updatedAt'>[] };
    /** /blog/editor/{slug} */
    edit: {
      /** Null if there is no post that the user can change. Saving a sample creates a new post. */
      post: Post | null;
      /** Unsaved text that the user can restore. */
      draft: Pick<Draft, 'id' | 'updatedAt'> | null;
      /** Unsaved text of a new post, which the form shows. */
      restored: RestoredDraft | null;
      /** Links to the draft. Absent for a post that is not stored. */
      links?: DraftLink[];
      /** Paths that could not be published yet. */
      pendingPaths?: string[];
    };
    /** /blog/editor/{slug}/history */
    history: {
      post: Pick<Post, 'id' | 'slug' | 'title' | 'version'>;
      /** Newest first. */
      revisions: Revision[];
      /** The version of the latest save. */
      newest: number;
      /** The cursor of this page of the list. */
      cursor: string | null;
      nextCursor: string | null;
      chosen: RevisionComparison | null;
    };
    /** /blog/trash */
    trash: {
      /** Latest deletion first. */
      posts: TrashedPost[];
      nextCursor: string | null;
    };
    /** /blog/pictures: the user's own, newest first. */
    pictures: {
      pictures: UsedPicture[];
      query: string;
      /** Whether this is not the first page of the list. */
      isOlder: boolean;
      nextCursor: string | null;
    };
    /** /blog/{slug} and /blog/editor/{slug} when no post can be shown. */
    noPost: { reason: 'not-found' | 'dead-link' | 'failed' | 'editor-failed' | 'too-many' };
  }
}
