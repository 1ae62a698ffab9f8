import type { EditConflict } from '../edit-conflict.ts';
import type { InputIssue, Problem } from '../problems.ts';
import type { DraftLink } from './draft-link-replies.ts';
import type { Draft } from './draft-replies.ts';
import type { DraftFields } from './drafts.ts';
import type { Picture } from './picture-replies.ts';
import type { Post, PostSummary, Tag } from './posts.ts';
import type { Revision, RevisionPart } from './revision-replies.ts';
import type { SearchResults } from './search.ts';

export type PostCard = Pick<
  Post,
  'slug' | 'title' | 'excerpt' | 'coverImage' | 'published' | 'author' | 'createdAt'
>;

export interface PostBody {
  /** Safe HTML. Null if the content cannot be rendered: `bodyProblem` says why. */
  bodyHtml: string | null;
  bodyProblem: string | null;
  /** The table of contents: nested lists of links. Null for a short post. */
  outlineHtml: string | null;
  words: number;
  /** Whether the body has parts whose styles are in a stylesheet of their own. */
  isRich: boolean;
}

/** `bodyHtml` is null when the feed would become too large. */
export type FeedPost = PostSummary & Pick<PostBody, 'bodyHtml'>;

/** A deleted post that can be restored. */
export interface TrashedPost {
  id: string;
  title: string;
  /** The one that it had. */
  slug: string;
  wasPublished: boolean;
  /** The name is null without a profile, and for a deleted account. */
  deletedBy: 'you' | { name: string | null };
  deletedAt: string;
  /** When it is deleted for good. */
  erasedAt: string;
  /** Whether the user may delete it for good. */
  mayErase: boolean;
}

export type PostLine = Pick<Post, 'slug' | 'title' | 'createdAt'>;

export type PostLink = Pick<Post, 'slug' | 'title'>;

/** By the time of their creation. Null at either end. */
export interface Neighbors {
  previous: PostLink | null;
  next: PostLink | null;
}

export interface RestoredDraft {
  /** The id of the draft. */
  id: string;
  /** Of the draft. */
  updatedAt: string;
  fields: DraftFields;
  /** To choose from; the fields have the author's own text until then. */
  conflict: EditConflict | null;
}

/** A save without scripts that was refused: its text comes back with the reason. */
export interface RefusedSave {
  /** Where to send it again. */
  action: string;
  /** All as typed. */
  fields: DraftFields;
  schedule: Record<'scheduledAt' | 'scheduledBefore' | 'timeZone', string>;
  baseVersion: string | null;
  /** The draft that the text continues, and the save deletes. */
  draft: Pick<Draft, 'id' | 'updatedAt'> | null;
  problem: Pick<Problem, 'code' | 'detail'> & { issues: InputIssue[] };
}

/** Two revisions of a post, or one and nothing before. */
export interface RevisionComparison {
  revision: Revision;
  with: 'before' | 'current';
  /** Null if there is none: then the texts are those of the revision. */
  other: Pick<Revision, 'version' | 'savedAt'> | null;
  /** Only what differs, except without another revision. Safe HTML. Null if too many wait. */
  parts: { part: RevisionPart; html: string }[] | null;
}

export interface DraftSharing {
  links: DraftLink[];
  /** One that was just created, with its URL, which is shown once. */
  created: { id: string; url: string } | null;
}

/** Of a post that only staff can change. */
export interface PostLock {
  lockedAt: string;
  /** The byline. */
  lockedBy: string;
}

/** Where a picture is used. */
export type PictureUse =
  /** `isOld` when only earlier versions of the post have it. */
  | { in: 'post'; title: string; slug: string; isOld: boolean }
  | { in: 'trash'; title: string }
  /** Unsaved text of the user, with the path of its editor. */
  | { in: 'unsaved'; title: string; path: string }
  /** What the user may not see: drafts and unsaved text of others. */
  | { in: 'hidden' };

export interface UsedPicture extends Picture {
  uses: PictureUse[];
}

declare module '../pages.ts' {
  interface RenderedPages {
    /** /blog: the newest posts. */
    blog: { posts: PostCard[]; hasOlder: boolean };
    /** /blog/{slug} */
    post: { post: Post; neighbors: Neighbors } & PostBody;
    /** /blog/draft/{token}: a draft, for people without an account. */
    draftLink: {
      post: Post;
      expiresAt: string;
      /** When the version that it shows was saved; null if it follows the draft. */
      pinnedTo: string | null;
    } & PostBody;
    /** /blog/{slug}.md */
    postMarkdown: { post: Post };
    /** /blog/{slug}: an old slug redirects. */
    moved: { to: string };
    /** /blog/{slug}.md of an old slug. */
    movedMarkdown: { to: string };
    /** /llms.txt: the newest posts. */
    llms: { posts: Pick<Post, 'slug' | 'title' | 'excerpt'>[] };
    /** /blog/search */
    search: {
      query: string;
      /** Null without a query, or with a problem. */
      found: SearchResults | null;
      problem: string | null;
    };
    /** /blog/archive: months with posts, newest first, such as 2025-03. */
    archive: { months: string[] };
    /** /blog/archive/{month}: newest first. A line per post, because there may be hundreds. */
    archiveMonth: { month: string; posts: PostLine[] };
    /** /blog/tag/{tag}: its newest posts. Without older ones, there are no pages by month. */
    tag: { tag: Tag; posts: PostCard[]; months: string[] };
    /** /blog/tag/{tag}/{month}: newest first. */
    tagMonth: { tag: Tag; month: string; posts: PostLine[] };
    /** /blog/rss.xml, /blog/atom.xml, /blog/feed.json */
    feed: { posts: FeedPost[] };
    /** /sitemap.xml */
    sitemapIndex: { months: string[] };
    /** /blog/sitemap-{month}.xml, with the tags whose oldest post is of this month. */
    sitemapMonth: { tags: string[]; posts: Pick<Post, 'slug' | 'updatedAt'>[] };
    /** /blog/editor/{slug}: the form is filled in without JavaScript. */
    edit: {
      /** Null if there is none, or none that the user may see. A sample becomes a new post. */
      post: Post | null;
      /** Unsaved text to offer. */
      draft: Pick<Draft, 'id' | 'updatedAt'> | null;
      /** Unsaved text to fill in instead of the post's. Also of a new post, which has none. */
      restored: RestoredDraft | null;
      /** The response to a save: instead of all other texts. */
      refused?: RefusedSave;
      /** Links to the draft. Absent unless it is stored. */
      sharing?: DraftSharing;
      /** Of a stored post. The lock is null if every writer can change the post. */
      access?: { lock: PostLock | null; isStaff: boolean };
      /** Paths that could not be published yet, if there are any. */
      pendingPaths?: string[];
    };
    /** /blog/editor/{slug}/history */
    history: {
      post: Pick<Post, 'id' | 'slug' | 'title' | 'version'>;
      /** Newest first. */
      revisions: Revision[];
      /** The version of the latest save. */
      newest: number;
      /** Of this page of the list. */
      cursor: string | null;
      nextCursor: string | null;
      lock: PostLock | null;
      /** Whether the user can change the post. */
      mayChange: boolean;
      chosen: RevisionComparison | null;
    };
    /** /blog/trash */
    trash: {
      /** Last deleted first. */
      posts: TrashedPost[];
      nextCursor: string | null;
      /** A post that was just restored. */
      restored: (Pick<Post, 'title' | 'slug' | 'published'> & { isRenamed: boolean }) | null;
    };
    /** /blog/pictures: the user's own, newest first. */
    pictures: {
      pictures: UsedPicture[];
      /** What was searched for. */
      query: string;
      /** Whether this is not the first page of the list. */
      isOlder: boolean;
      nextCursor: string | null;
    };
    /** /blog/{slug} and /blog/editor/{slug} when no post can be shown. */
    noPost: { reason: 'not-found' | 'dead-link' | 'failed' | 'editor-failed' | 'too-many' };
  }
}
