import * as v from 'valibot';
import { limitMarks, optionalWebAddress, rawText, requiredText } from '../fields.ts';
import { limits } from '../limits.ts';
import { messages } from '../messages.ts';
import { findContentProblem } from './post-content.ts';

/** Used by the site below /blog. Hosts serve a folder's `index` at the folder's URL. */
const reservedSlugs: readonly string[] = ['editor', 'archive', 'index'];

/** The slug of a title (spec §5). Empty if the title has no valid character. */
export const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replace(/\s+/g, '-')
    .replace(/-+/g, '-')
    .slice(0, limits.slug)
    .replace(/^-|-$/g, '');

/** The default excerpt (spec §5). Never splits a surrogate pair. */
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
const optionalSlug = v.pipe(
  rawText(limits.slug),
  v.trim(),
  v.maxLength(limits.slug, messages.field.tooLong(limits.slug)),
  v.regex(/^(?:[a-z0-9_]+(?:-[a-z0-9_]+)*)?$/, messages.field.slugShape),
  v.check((value) => !reservedSlugs.includes(value), messages.field.slugReserved),
);
const slug = v.pipe(optionalSlug, v.nonEmpty(messages.field.slugRequired));

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
    /** Empty if the title has no valid character: then the API creates one. */
    slug: optionalSlug,
    excerpt: v.string(),
    coverImage: v.nullable(v.string()),
    published: v.boolean(),
  }),
);
export type NewPost = v.InferOutput<typeof newPost>;

/** An empty excerpt is created from the content. */
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

export type {
  Author,
  PendingPage,
  Post,
  PostDeleted,
  PostList,
  PostSaved,
  PostSummary,
  Publishing,
} from './replies.ts';

/** In UTC: 2025-03. */
export const monthOf = (isoTime: string): string => isoTime.slice(0, 7);
