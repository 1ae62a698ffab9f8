import * as v from 'valibot';
import { isVisible, manyLines, oneLine, withoutControls } from '../clean-text.ts';
import { cutText } from '../cut-text.ts';
import { limitMarks, optionalHttpUrl, rawText, requiredLine } from '../fields.ts';
import { limits } from '../limits.ts';
import { messages } from '../messages.ts';
import { postFieldMessages } from './messages.ts';
import { parsePicturePath } from './pictures.ts';
import { findContentProblem } from './post-content.ts';
import { scheduledTime } from './schedule.ts';
import { tagNames } from './tags.ts';

/** Paths below /blog that the site itself uses. Hosts serve a folder's `index` at its URL. */
const reservedSlugs: readonly string[] = [
  'editor',
  'archive',
  'search',
  'index',
  'drafts',
  'pictures',
  'draft',
  'trash',
  'tag',
];

/** The slug of a title (spec §5). Empty if the title has no valid character. */
export const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replace(/\s+/g, '-')
    .replace(/-+/g, '-')
    .slice(0, limits.slug)
    .replace(/^-|-$/g, '');

/** The default excerpt (spec §5). */
export const excerptOf = (content: string): string =>
  `${withoutControls(cutText(content, limits.autoExcerpt))}...`;

/** The excerpt that the writer typed. Empty for the default one, which follows the content. */
export const writtenExcerpt = ({
  excerpt,
  content,
}: {
  excerpt: string;
  content: string;
}): string => (excerpt === excerptOf(content) ? '' : excerpt);

const title = requiredLine(limits.title, postFieldMessages.titleRequired);
const writtenContent = v.pipe(
  rawText(limits.content),
  // Programs may send CR LF, which would make all lines of two revisions differ.
  v.transform((text) => text.replaceAll('\r\n', '\n')),
  v.maxLength(limits.content, messages.field.tooLong(limits.content)),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed || dataset.issues) return;
    const problem = findContentProblem(dataset.value);
    if (problem) addIssue({ message: problem });
  }),
);
const content = v.pipe(
  v.optional(v.string(), ''),
  v.check(isVisible, postFieldMessages.contentRequired),
  writtenContent,
);
const optionalSlug = v.pipe(
  rawText(limits.slug),
  v.trim(),
  v.maxLength(limits.slug, messages.field.tooLong(limits.slug)),
  v.regex(/^(?:[a-z0-9_]+(?:-[a-z0-9_]+)*)?$/, postFieldMessages.slugShape),
  v.check((value) => !reservedSlugs.includes(value), postFieldMessages.slugReserved),
);
const slug = v.pipe(optionalSlug, v.nonEmpty(postFieldMessages.slugRequired));

export const isSlug = (text: string): boolean => v.is(slug, text);

/** Null for a slug that a post may have. */
export const slugProblem = (text: string): 'reserved' | 'invalid' | null => {
  if (isSlug(text)) return null;
  return reservedSlugs.includes(text) ? 'reserved' : 'invalid';
};
const excerpt = v.pipe(
  rawText(limits.excerpt),
  v.transform(manyLines),
  v.maxLength(limits.excerpt, messages.field.tooLong(limits.excerpt)),
  limitMarks,
);
const coverImage = v.pipe(
  optionalHttpUrl(limits.url, messages.field.urlInvalid, (url) => parsePicturePath(url) !== null),
  v.description('An http(s) URL, or the path of a picture.'),
);

const draft = v.pipe(
  rawText(limits.slug),
  v.description(
    'The id of the draft that has this text. The save deletes the draft, unless newer text has been stored in it since.',
  ),
);
const draftUpdatedAt = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.description(
    'The `updatedAt` of the draft that this text continues. Without it, or if the draft has been stored again since, the save deletes the draft only if it has the same text.',
  ),
);

export const account = v.pipe(
  v.string(),
  v.description(
    'The id of the user who typed the text. Another user’s session is rejected as other_account.',
  ),
);

export const newPost = v.pipe(
  v.strictObject({
    title,
    content,
    slug: v.optional(rawText(limits.slug), ''),
    excerpt: v.optional(excerpt, ''),
    coverImage: v.optional(coverImage, null),
    tags: v.optional(tagNames, []),
    published: v.optional(v.boolean(), false),
    scheduledAt: v.exactOptional(v.nullable(scheduledTime)),
    draft: v.exactOptional(draft),
    draftUpdatedAt: v.exactOptional(draftUpdatedAt),
    account: v.exactOptional(account),
  }),
  v.transform((post) => ({
    ...post,
    slug: post.slug.trim() || slugOf(post.title),
    excerpt: post.excerpt || excerptOf(post.content),
  })),
  v.strictObject({
    title: v.string(),
    content: v.string(),
    /** Empty if the title has no valid character. The API then creates a slug. */
    slug: optionalSlug,
    excerpt: v.string(),
    coverImage: v.nullable(v.string()),
    tags: v.array(v.string()),
    published: v.boolean(),
    scheduledAt: v.exactOptional(v.nullable(v.string())),
    draft: v.exactOptional(v.string()),
    draftUpdatedAt: v.exactOptional(v.string()),
    account: v.exactOptional(v.string()),
  }),
);
export type NewPost = v.InferOutput<typeof newPost>;

export const baseVersion = v.pipe(
  v.number(),
  v.safeInteger(),
  v.minValue(1),
  v.description(
    'The version of the post that the change is based on. If the post has been saved since, the change is merged, or rejected as edit_conflict.',
  ),
);

/** An empty excerpt means the default one. */
export const postChange = v.pipe(
  v.strictObject({
    baseVersion: v.exactOptional(baseVersion),
    draft: v.exactOptional(draft),
    draftUpdatedAt: v.exactOptional(draftUpdatedAt),
    account: v.exactOptional(account),
    title: v.exactOptional(title),
    content: v.exactOptional(content),
    slug: v.exactOptional(slug),
    excerpt: v.exactOptional(excerpt),
    coverImage: v.exactOptional(coverImage),
    tags: v.exactOptional(tagNames),
    published: v.exactOptional(v.boolean()),
    scheduledAt: v.exactOptional(v.nullable(scheduledTime)),
  }),
  v.check(
    ({ baseVersion, draft, draftUpdatedAt, account, ...change }) => Object.keys(change).length > 0,
    messages.field.nothingToChange,
  ),
);
export type PostChange = v.InferOutput<typeof postChange>;

/** A text in progress: any field can still be empty or incomplete. */
export const postPreview = v.strictObject({
  /** The id of the post; absent for a new one. */
  post: v.exactOptional(v.pipe(v.string(), v.maxLength(limits.slug))),
  title: v.optional(v.pipe(rawText(limits.title), v.transform(oneLine)), ''),
  content: writtenContent,
  slug: v.optional(rawText(limits.slug), ''),
  excerpt: v.optional(rawText(limits.excerpt), ''),
  coverImage: v.optional(rawText(limits.url), ''),
  tags: v.optional(rawText(limits.tagsText), ''),
});
export type PostPreview = v.InferOutput<typeof postPreview>;

/** Null for an invalid URL, such as an incomplete one. */
export const coverOrNull = (text: string): string | null => {
  const parsed = v.safeParse(coverImage, text);
  return parsed.success ? parsed.output : null;
};

/** A post that ships with the site. Times are ISO 8601 in UTC. */
export const samplePost = v.strictObject({
  slug: v.string(),
  title: v.string(),
  excerpt: v.string(),
  /** Markdown. */
  content: v.string(),
  tags: v.array(v.strictObject({ slug: v.string(), name: v.string() })),
  createdAt: v.string(),
  authorName: v.string(),
});
export type SamplePost = v.InferOutput<typeof samplePost>;

export type {
  Author,
  PendingPage,
  Post,
  PostDeleted,
  PostErased,
  PostList,
  PostPreviewed,
  PostRestored,
  PostSaved,
  PostSummary,
  Publishing,
  PublishingStatus,
  SlugChecked,
  SlugState,
  Tag,
} from './replies.ts';

/** The month in UTC, such as 2025-03. */
export const monthOf = (isoTime: string): string => isoTime.slice(0, 7);
