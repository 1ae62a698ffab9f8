import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { timeOf } from './dates.ts';
import { lexicalToHtml } from './ghost-lexical.ts';
import { mobiledocToHtml } from './ghost-mobiledoc.ts';
import { idOfKey } from './post-id.ts';
import { type SkippedItem, type Source, SourceError, type SourcePost } from './source.ts';

/** Strings in Node have at most 512 MB. */
const maxBytes = 400_000_000;

const id = v.union([v.string(), v.number()]);
const optionalText = v.nullish(v.string(), '');

const ghostPost = v.object({
  id,
  uuid: optionalText,
  title: optionalText,
  slug: optionalText,
  html: optionalText,
  lexical: optionalText,
  mobiledoc: optionalText,
  markdown: optionalText,
  feature_image: optionalText,
  feature_image_alt: optionalText,
  custom_excerpt: optionalText,
  status: v.nullish(v.string(), 'draft'),
  type: v.nullish(v.string(), 'post'),
  page: v.nullish(v.union([v.boolean(), v.number()]), false),
  visibility: v.nullish(v.string(), 'public'),
  published_at: v.nullish(v.union([v.string(), v.number()])),
  created_at: v.nullish(v.union([v.string(), v.number()])),
  updated_at: v.nullish(v.union([v.string(), v.number()])),
  author_id: v.nullish(id),
});
type GhostPost = v.InferOutput<typeof ghostPost>;

const ghostData = v.object({
  posts: v.array(v.unknown()),
  users: v.optional(v.array(v.object({ id, email: optionalText })), []),
  tags: v.optional(v.array(v.object({ id, name: optionalText })), []),
  posts_tags: v.optional(
    v.array(v.object({ post_id: id, tag_id: id, sort_order: v.nullish(v.number(), 0) })),
    [],
  ),
  posts_authors: v.optional(
    v.array(v.object({ post_id: id, author_id: id, sort_order: v.nullish(v.number(), 0) })),
    [],
  ),
});

const ghostExport = v.union([
  v.pipe(
    v.object({ db: v.pipe(v.array(v.object({ data: ghostData })), v.minLength(1)) }),
    v.transform(({ db }) => db[0]?.data),
  ),
  v.pipe(
    v.object({ data: ghostData }),
    v.transform(({ data }) => data),
  ),
]);

/** @throws {SourceError} */
export async function openGhost(file: string, size: number): Promise<Source> {
  if (size > maxBytes) throw new SourceError(`${file} is larger than 400 MB.`);
  const data = parse(file, await readFile(file, 'utf8'));
  const emails = new Map(data.users.map((user) => [String(user.id), user.email]));
  const authors = new Map<string, string>();
  for (const { post_id, author_id } of data.posts_authors.sort(
    (a, b) => (b.sort_order ?? 0) - (a.sort_order ?? 0),
  )) {
    authors.set(String(post_id), emails.get(String(author_id)) ?? '');
  }
  const tagNames = new Map(data.tags.map((tag) => [String(tag.id), tag.name]));
  const tags = new Map<string, string[]>();
  for (const { post_id, tag_id } of data.posts_tags.sort(
    (a, b) => (a.sort_order ?? 0) - (b.sort_order ?? 0),
  )) {
    const name = tagNames.get(String(tag_id)) ?? '';
    // Internal tags, which readers do not see, begin with #.
    if (!name.startsWith('#')) {
      tags.set(String(post_id), [...(tags.get(String(post_id)) ?? []), name]);
    }
  }
  return {
    kind: 'Ghost export',
    count: data.posts.length,
    async *items() {
      for (const [index, post] of data.posts.entries()) {
        const parsed = v.safeParse(ghostPost, post);
        if (!parsed.success) {
          yield { name: `post ${index + 1}`, skipped: 'It is not a Ghost post.' };
          continue;
        }
        const { id: postId, author_id } = parsed.output;
        const author = authors.get(String(postId)) || emails.get(String(author_id)) || null;
        yield toPost(parsed.output, author, tags.get(String(postId)) ?? []);
      }
    },
  };
}

function parse(file: string, text: string): NonNullable<v.InferOutput<typeof ghostExport>> {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new SourceError(`${file} is not valid JSON (${(error as Error).message}).`);
  }
  const parsed = v.safeParse(ghostExport, json);
  if (parsed.success && parsed.output) return parsed.output;
  throw new SourceError(`${file} is JSON, but not a Ghost export: it has no db[0].data.posts.`);
}

function toPost(
  post: GhostPost,
  author: string | null,
  tags: readonly string[],
): SourcePost | SkippedItem {
  const name = post.slug || post.title || String(post.id);
  if (post.type !== 'post' || post.page) return { name, skipped: 'It is a page, not a post.' };
  const notes: string[] = [];
  // Posts that were only sent by email were never on the site.
  const published = post.status === 'published';
  const isScheduled = post.status === 'scheduled';
  if (!published && !isScheduled && post.status !== 'draft') {
    notes.push(`Its status is "${post.status}": imported as a draft.`);
  }
  const isPublic = post.visibility === 'public';
  if ((published || isScheduled) && !isPublic) {
    notes.push(`Its visibility is "${post.visibility}": imported as a draft.`);
  }
  return {
    name,
    id: idOfKey(`ghost:${post.uuid || post.id}`),
    title: post.title,
    slug: post.slug,
    ...textOf(post, notes),
    excerpt: post.custom_excerpt,
    cover: post.feature_image,
    tags,
    published: published && isPublic,
    oldSlugs: [],
    scheduledAt: isScheduled && isPublic ? timeOf(dateOf(post.published_at)) : null,
    createdAt: timeOf((isScheduled ? null : dateOf(post.published_at)) ?? dateOf(post.created_at)),
    updatedAt: timeOf(dateOf(post.updated_at)),
    author,
    notes,
  };
}

/** Old exports have times in milliseconds. */
const dateOf = (value: string | number | null | undefined): Date | string | null =>
  typeof value === 'number' ? new Date(value) : (value ?? null);

function textOf(post: GhostPost, notes: string[]): Pick<SourcePost, 'text' | 'format'> {
  const { html, lexical, mobiledoc, markdown } = post;
  if (html !== '') return { text: html, format: 'html' };
  try {
    if (lexical !== '') return { text: lexicalToHtml(JSON.parse(lexical)), format: 'html' };
    if (mobiledoc !== '') return { text: mobiledocToHtml(JSON.parse(mobiledoc)), format: 'html' };
  } catch {
    notes.push('Its text cannot be read.');
    return { text: '', format: 'exact' };
  }
  return { text: markdown, format: 'markdown' };
}
