import type { Profile } from './accounts/profile.ts';
import type { Device, SignInMethods } from './accounts/settings.ts';
import type { Post, PostSummary } from './blog/posts.ts';
import type { SubmissionForm } from './forms/submit.ts';
import type { InputIssue } from './problems.ts';

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

/**
 * What each page that is rendered while the site runs gets to know, by the
 * address it is rendered at. The API fills it in; the page draws it.
 */
export interface RenderedPages {
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
  /** /auth/confirm: `token` goes back to the API when the person presses the button. */
  confirm: { token: string };
  /** /auth/reset: likewise, with the new password. */
  passwordReset: { token: string };
  /** /auth/change-email: likewise; `email` is the address to be. */
  emailChange: { token: string; email: string };
  /** /auth/cancel-email-change: likewise; `email` is the address that was asked for. */
  emailChangeCancel: { token: string; email: string };
  /** /profile: the signed-in person's own. `profile` is null where there is none. */
  profile: {
    email: string;
    profile: Profile | null;
    devices: Device[];
    methods: SignInMethods;
    /** Whether they proved who they are in the last ten minutes. */
    isRecent: boolean;
  };
  /**
   * /contact/again/{token}, /careers/again/{token}: a form that was refused, for somebody
   * without scripts, with what they typed.
   */
  formAgain: { form: SubmissionForm; entries: Record<string, string>; issues: InputIssue[] };
  /** /newsletter/confirm: `token` goes back to the API when the person presses the button. */
  newsletterConfirm: { token: string };
  /** /newsletter/unsubscribe: likewise. */
  newsletterUnsubscribe: { token: string };
  /** /blog/editor/{slug}: the post to edit, so that the form is filled in before any script runs. */
  edit: {
    /** Null when there is none; a sample is the start of a new post. */
    post: Post | null;
  };
  /** /blog/{slug} and /blog/editor/{slug} where no post can be shown. */
  noPost: { reason: 'not-found' | 'failed' | 'editor-failed' };
}

export type PageKind = keyof RenderedPages;

export type PageData = {
  [Kind in PageKind]: { kind: Kind } & RenderedPages[Kind];
}[PageKind];

/** Astro's `locals` on a page that is rendered while the site runs. */
export interface PageLocals {
  /** PUBLIC_URL without a slash at its end: https://fieldlight.example */
  origin: string;
  page: PageData;
}

/** The picture of a page for those who share it: a PNG, drawn from its title alone. */
export interface Card {
  /** Changes with the title and with the design of the cards: /cards/{hash}.png */
  path: string;
  title: string;
}

/** A page as its renderer leaves it. */
export interface RenderedPage {
  /** HTML or XML. */
  text: string;
  /** The card that it refers to. */
  card: Card | null;
}

/**
 * Stands for PUBLIC_URL in the files of the build, which does not know it; it is
 * put in its place when the build is installed. `.invalid` never resolves (RFC 2606).
 */
export const buildOrigin = 'https://public-url.invalid';
