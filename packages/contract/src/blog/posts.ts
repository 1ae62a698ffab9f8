import * as v from 'valibot';
import { limitMarks, optionalWebAddress, rawText, requiredText } from '../fields.ts';
import { limits } from '../limits.ts';
import { messages } from '../messages.ts';
import { findContentProblem } from './post-content.ts';

/** Addresses below /blog that are not posts; hosts serve a folder's `index` at the folder's address. */
const reservedSlugs: readonly string[] = ['editor', 'archive', 'index'];

/**
 * The slug of a title: lower case, without characters other than word
 * characters, spaces and hyphens, spaces to hyphens, no repeated hyphens (spec §5).
 * A title with no such character gives an empty slug.
 */
export const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replace(/\s+/g, '-')
    .replace(/-+/g, '-')
    .slice(0, limits.slug)
    .replace(/^-|-$/g, '');

/** What a post shows in lists when its author wrote no excerpt (spec §5). The cut leaves no half of a surrogate pair. */
export const excerptOf = (content: string): string =>
  `${content.slice(0, limits.autoExcerpt).replace(/[\uD800-\uDBFF]$/, '')}...`;

const title = requiredText(limits.title, messages.field.titleRequired);
const content = v.pipe(
  v.optional(v.string(), ''),
  v.maxLength(limits.content, messages.field.tooLong(limits.content)),
  v.check((text) => text.trim() !== '', messages.field.contentRequired),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed || dataset.issues) return;
    const problem = findContentProblem(dataset.value);
    if (problem) addIssue({ message: problem });
  }),
);
/** A slug, or nothing. */
const optionalSlug = v.pipe(
  rawText(limits.slug),
  v.trim(),
  v.maxLength(limits.slug, messages.field.tooLong(limits.slug)),
  v.regex(/^(?:[a-z0-9_]+(?:-[a-z0-9_]+)*)?$/, messages.field.slugShape),
  v.check((value) => !reservedSlugs.includes(value), messages.field.slugReserved),
);
const slug = v.pipe(optionalSlug, v.nonEmpty(messages.field.slugRequired));

/** Whether a post can be found at it. */
export const isSlug = (text: string): boolean => v.is(slug, text);
const excerpt = v.pipe(
  rawText(limits.excerpt),
  v.trim(),
  v.maxLength(limits.excerpt, messages.field.tooLong(limits.excerpt)),
  limitMarks,
);
const coverImage = optionalWebAddress(limits.url);

export const newPost = v.pipe(
  v.strictObject({
    title,
    content,
    slug: v.optional(rawText(limits.slug), ''),
    excerpt: v.optional(excerpt, ''),
    coverImage: v.optional(coverImage, null),
    published: v.optional(v.boolean(), false),
  }),
  v.transform((post) => ({
    ...post,
    slug: post.slug.trim() || slugOf(post.title),
    excerpt: post.excerpt || excerptOf(post.content),
  })),
  v.strictObject({
    title: v.string(),
    content: v.string(),
    /** Empty where the title has none of its characters: then the API makes one. */
    slug: optionalSlug,
    excerpt: v.string(),
    coverImage: v.nullable(v.string()),
    published: v.boolean(),
  }),
);
export type NewPost = v.InferOutput<typeof newPost>;

/** A partial change: what is absent stays as it is. An emptied excerpt is made anew from the content. */
export const postChange = v.pipe(
  v.strictObject({
    title: v.exactOptional(title),
    content: v.exactOptional(content),
    slug: v.exactOptional(slug),
    excerpt: v.exactOptional(excerpt),
    coverImage: v.exactOptional(coverImage),
    published: v.exactOptional(v.boolean()),
  }),
  v.check((change) => Object.keys(change).length > 0, messages.field.nothingToChange),
);
export type PostChange = v.InferOutput<typeof postChange>;

/** Who wrote a post, as everybody may see it. */
export interface Author {
  /** What a byline says: the full name, else the username, else the company's name. */
  name: string;
  fullName: string | null;
  avatarUrl: string | null;
}

/** A post as it goes over the wire. Times are ISO 8601 in UTC. */
export interface Post {
  id: string;
  slug: string;
  title: string;
  excerpt: string;
  content: string;
  coverImage: string | null;
  published: boolean;
  authorId: string;
  author: Author;
  createdAt: string;
  updatedAt: string;
  /** A post that ships with the site: it can be copied, not changed. */
  isSample?: true;
}

/** A post that ships with the site. Times are ISO 8601 in UTC. */
export const samplePost = v.strictObject({
  slug: v.string(),
  title: v.string(),
  excerpt: v.string(),
  /** Markdown. */
  content: v.string(),
  createdAt: v.string(),
  authorName: v.string(),
});
export type SamplePost = v.InferOutput<typeof samplePost>;

/** A post in a list: without its text, which may be long and is for its page and its editor. */
export type PostSummary = Omit<Post, 'content'>;

/** A page of posts, newest first. `nextCursor` is null on the last page. */
export interface PostList {
  posts: PostSummary[];
  nextCursor: string | null;
}

/** A page that could not be published yet. */
export interface PendingPage {
  path: string;
  /** A verb phrase after the path: 'could not be rendered.' */
  reason: string;
}

/**
 * What became of a change on the public site. `milliseconds` counts from the start of the call to
 * the new bytes. `pending` are other pages, such as lists, that follow as soon as they can.
 */
export type Publishing =
  /** Readers get the new page; `hash` is the SHA-256 (hex) of the bytes they are served. */
  | { state: 'live'; path: string; hash: string; milliseconds: number; pending?: PendingPage[] }
  /** No reader gets the page any more. */
  | { state: 'removed'; path: string; milliseconds: number; pending?: PendingPage[] }
  /** A draft: nothing public changed. */
  | { state: 'draft' }
  /** The row is safe, the site follows as soon as it can. */
  | { state: 'pending'; reason: string; pages: PendingPage[] };

export interface PostSaved {
  post: Post;
  publishing: Publishing;
}

export interface PostDeleted {
  publishing: Publishing;
}

/** A post's month in UTC, as archives and sitemaps name it: 2025-03. */
export const monthOf = (isoTime: string): string => isoTime.slice(0, 7);
