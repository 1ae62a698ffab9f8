import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { timeOf } from './dates.ts';
import { type Note, withoutGatedBlocks } from './ghost-cards.ts';
import { lexicalToHtml } from './ghost-lexical.ts';
import { mobiledocToHtml } from './ghost-mobiledoc.ts';
import { idOfKey } from './post-id.ts';
import { siteUrlOf } from './site-url.ts';
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

const settings = v.array(v.object({ key: v.string(), value: v.unknown() }));

const ghostData = v.object({
  posts: v.array(v.unknown()),
  posts_meta: v.optional(
    v.array(v.object({ post_id: id, email_only: v.nullish(v.union([v.boolean(), v.number()])) })),
    [],
  ),
  settings: v.optional(v.fallback(settings, []), []),
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

/**
 * @param givenUrl the URL of the site
 * @throws {SourceError}
 */
export async function openGhost(
  file: string,
  size: number,
  givenUrl: string | null,
): Promise<Source> {
  if (size > maxBytes) throw new SourceError(`${file} is larger than 400 MB.`);
  const data = parse(file, await readFile(file, 'utf8'));
  const siteUrl = givenUrl ?? urlIn(data.settings);
  const isPrivate = data.settings.some(
    ({ key, value }) => key === 'is_private' && /^(?:true|1)$/.test(String(value)),
  );
  const sent = data.posts_meta.filter(({ email_only }) => email_only);
  const onlySent = new Set(sent.map(({ post_id }) => String(post_id)));
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
    siteUrl,
    async *items() {
      for (const [index, post] of data.posts.entries()) {
        const parsed = v.safeParse(ghostPost, post);
        if (!parsed.success) {
          yield { name: `post ${index + 1}`, skipped: 'It is not a Ghost post.' };
          continue;
        }
        const { id: postId, author_id } = parsed.output;
        const author = authors.get(String(postId)) || emails.get(String(author_id)) || null;
        const of = { author, tags: tags.get(String(postId)) ?? [], siteUrl, isPrivate };
        yield toPost(parsed.output, { ...of, wasOnlySent: onlySent.has(String(postId)) });
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

/** Newer exports do not name it. */
const urlIn = (found: v.InferOutput<typeof settings>): string | null =>
  found
    .filter(({ key }) => /^(?:site_?|blog_?)?url$/i.test(key))
    .map(({ value }) => siteUrlOf(String(value)))
    .find((url) => url !== null) ?? null;

/** In an export, it stands for the URL of the site. */
const placeholder = '__GHOST_URL__';

interface Context {
  author: string | null;
  tags: readonly string[];
  siteUrl: string | null;
  wasOnlySent: boolean;
  /** The site asks its visitors for a password. */
  isPrivate: boolean;
}

function toPost(exported: GhostPost, context: Context): SourcePost | SkippedItem {
  const { author, tags, siteUrl } = context;
  const name = exported.slug || exported.title || String(exported.id);
  if (exported.type !== 'post' || exported.page) {
    return { name, skipped: 'It is a page, not a post.' };
  }
  const notes: string[] = [];
  const note: Note = (sentence) => {
    if (!notes.includes(sentence)) notes.push(sentence);
  };
  const post = withUrls(exported, siteUrl, note);
  const published = post.status === 'published';
  const isScheduled = post.status === 'scheduled';
  if (!published && !isScheduled && post.status !== 'draft') {
    note(`Its status is "${post.status}": imported as a draft.`);
  }
  if ((published || isScheduled) && post.visibility !== 'public') {
    note(`Its visibility is "${post.visibility}": imported as a draft.`);
  }
  if (context.wasOnlySent) note('It was only for emails: imported as a draft.');
  if ((published || isScheduled) && context.isPrivate) {
    note('Its site asked for a password: imported as a draft.');
  }
  const isPublic = post.visibility === 'public' && !context.wasOnlySent && !context.isPrivate;
  return {
    name,
    id: idOfKey(`ghost:${post.uuid || post.id}`),
    title: post.title,
    slug: post.slug,
    ...textOf(post, note),
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

function withUrls(post: GhostPost, siteUrl: string | null, note: Note): GhostPost {
  let isUsed = false;
  const entries = Object.entries(post).map(([key, value]) => {
    if (typeof value !== 'string' || !value.includes(placeholder)) return [key, value];
    isUsed = true;
    return [key, value.replaceAll(placeholder, siteUrl ?? '')];
  });
  if (isUsed && siteUrl === null) {
    note(
      'Its pictures and links to its old site are paths: the export has no URL, so use --source-url.',
    );
  }
  return Object.fromEntries(entries);
}

function textOf(post: GhostPost, note: Note): Pick<SourcePost, 'text' | 'format'> {
  const { html, lexical, mobiledoc, markdown } = post;
  if (html !== '') return { text: withoutGatedBlocks(html, note), format: 'html' };
  try {
    if (lexical !== '') return { text: lexicalToHtml(JSON.parse(lexical), note), format: 'html' };
    if (mobiledoc !== '')
      return { text: mobiledocToHtml(JSON.parse(mobiledoc), note), format: 'html' };
  } catch {
    note('Its text cannot be read.');
    return { text: '', format: 'exact' };
  }
  return { text: markdown, format: 'markdown' };
}
