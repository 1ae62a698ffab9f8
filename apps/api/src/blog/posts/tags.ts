import { slugOf, type Tag } from '@app/contract/blog/posts';
import { limits } from '@app/contract/limits';
import type { Database } from '@app/db/open';
import { preparedStatements } from '@app/db/prepared-statements';
import { blogPostTags } from '@app/db/schema/blog';
import { and, eq, ne, sql } from 'drizzle-orm';

/**
 * The tags for these names, without duplicates. Non-Latin letters are transliterated, and symbols
 * as in C++ are spelled out, because different tags need different slugs.
 */
export async function toTags(db: Database, names: readonly string[]): Promise<Tag[]> {
  const { firstName } = statementsOf(db);
  const bySlug = new Map<string, Tag>();
  for (const name of names) {
    const plain = await tagSlugOf(name);
    const spelled = await tagSlugOf(spelledOut(name));
    // Published tags keep their URL, even those from before symbols were spelled out.
    const isPublished = spelled !== plain && firstName.get({ tag: plain })?.name === name;
    const slug = isPublished ? plain : spelled;
    if (!bySlug.has(slug)) bySlug.set(slug, { slug, name });
  }
  return [...bySlug.values()];
}

/** As in C++, C#, R&D, .NET and Web 2.0. Other punctuation does not distinguish tags. */
const spelledOut = (name: string): string =>
  name
    .replace(/(?<=[\p{L}\p{N}+])\+/gu, ' plus')
    .replace(/(?<=[\p{L}\p{N}])#/gu, ' sharp')
    .replace(/(?<=[\p{L}\p{N}])&(?=[\p{L}\p{N}])/gu, ' and ')
    .replace(/(?<=^|\s)\.(?=[\p{L}\p{N}])/gu, 'dot ')
    .replace(/(?<=\p{N})\.(?=\p{N})/gu, ' dot ');

async function tagSlugOf(name: string): Promise<string> {
  const slug = slugOf(/^[\x20-\x7e]*$/.test(name) ? name : await transliterated(name));
  // Hosts serve a folder's `index` at the folder's URL.
  if (slug !== '' && slug !== 'index') return slug;
  const points = [...name].map((character) => character.codePointAt(0)?.toString(16));
  return points.join('-').slice(0, limits.slug).replace(/-$/, '');
}

/** The first call loads half a megabyte. */
async function transliterated(name: string): Promise<string> {
  const { default: anyAscii } = await import('any-ascii');
  return anyAscii(name);
}

const statementsOf = preparedStatements((db) => ({
  firstName: db
    .select({ name: blogPostTags.name })
    .from(blogPostTags)
    .where(eq(blogPostTags.tag, sql.placeholder('tag')))
    .limit(1)
    .prepare(),
  ofOthers: db
    .select({ name: blogPostTags.name })
    .from(blogPostTags)
    .where(
      and(
        eq(blogPostTags.tag, sql.placeholder('tag')),
        ne(blogPostTags.postId, sql.placeholder('postId')),
      ),
    )
    .limit(1)
    .prepare(),
}));

/** Replaces tag names with those in other published posts, so that the first spelling wins. */
export function createFirstNames(db: Database) {
  const { ofOthers } = statementsOf(db);
  return (postId: string, tags: readonly Tag[]): Tag[] =>
    tags.map(({ slug, name }) => ({
      slug,
      name: ofOthers.get({ tag: slug, postId })?.name ?? name,
    }));
}

/**
 * `theirs`, with the tags that `yours` added and without those that it removed.
 * @param base the tags before both changes; if they are unknown (null), none count as removed
 */
export function mergeTags(
  base: readonly Tag[] | null,
  theirs: readonly Tag[],
  yours: readonly Tag[],
): Tag[] {
  const has = (tags: readonly Tag[], { slug }: Tag) => tags.some((tag) => tag.slug === slug);
  const stayed = theirs.filter((tag) => has(yours, tag) || !base || !has(base, tag));
  const added = yours.filter((tag) => !has(theirs, tag) && !(base && has(base, tag)));
  return [...stayed, ...added].slice(0, limits.tags);
}
