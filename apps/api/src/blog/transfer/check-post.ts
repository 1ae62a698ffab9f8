import { coverOrNull, isSlug, type NewPost, newPost, type Tag } from '@app/contract/blog/posts';
import { findScheduleProblem } from '@app/contract/blog/schedule';
import { tagNames, tagNamesOf } from '@app/contract/blog/tags';
import { manyLines, oneLine } from '@app/contract/clean-text';
import { cutText } from '@app/contract/cut-text';
import { limits } from '@app/contract/limits';
import { count } from '@app/contract/quantities';
import type { Database } from '@app/db/open';
import * as v from 'valibot';
import { toIso } from '../../clock.ts';
import { slugForTitle } from '../posts/slug-for-title.ts';
import { toTags } from '../posts/tags.ts';
import type { SourcePost } from './source.ts';

export interface CheckedPost extends Omit<NewPost, 'draft' | 'scheduledAt' | 'tags'> {
  tags: Tag[];
  createdAt: number;
  updatedAt: number;
  scheduledAt: number | null;
  notes: string[];
}

/**
 * Checks a post against the limits of a save. Where possible, invalid fields other than the content
 * are fixed, with a note.
 * @param content Markdown
 */
export async function checkPost(
  db: Database,
  post: SourcePost,
  content: string,
  now: number,
): Promise<CheckedPost | { problem: string }> {
  const notes = [...post.notes];
  const { createdAt, updatedAt, published, scheduledAt } = datesOf(post, now, notes);
  const title = titleOf(post, notes);
  const parsed = v.safeParse(newPost, {
    ...{ title, content, published },
    slug: await slugOfPost(post, title, createdAt, notes),
    excerpt: excerptOfPost(post, notes),
    coverImage: coverOf(post, notes),
  });
  if (parsed.success) {
    const tags = await tagsOf(db, post, notes);
    return { ...parsed.output, tags, createdAt, updatedAt, scheduledAt, notes };
  }
  const [{ message, path }] = parsed.issues;
  const field = String(path?.[0]?.key ?? 'content');
  return { problem: field === 'content' ? message : `Its ${field}: ${message}` };
}

function datesOf(post: SourcePost, now: number, notes: string[]) {
  const { expiresAt = null } = post;
  const isExpired = expiresAt !== null && expiresAt <= now;
  if (isExpired) notes.push(`It expired at ${toIso(expiresAt)}: imported as a draft.`);
  else if (expiresAt !== null) notes.push(`It expires at ${toIso(expiresAt)}, but stays here.`);
  const isDated = post.createdAt !== null || post.scheduledAt !== null;
  if (!isDated) {
    const effect = post.published ? ': imported as a draft of today' : ', so it is dated today';
    notes.push(`It has no valid date${effect}.`);
  }
  const isWanted = post.published && !isExpired && isDated;
  const isFuture = post.createdAt !== null && post.createdAt > now;
  if (isFuture && !isWanted) notes.push('Its date is in the future: changed to today.');
  const wanted = startOf(post, isWanted, now);
  const createdAt = Math.min(post.createdAt ?? now, now);
  const updatedAt = Math.max(createdAt, Math.min(post.updatedAt ?? createdAt, now));
  return {
    ...{ createdAt, updatedAt },
    published: isWanted && wanted === null,
    scheduledAt: wanted === null ? null : scheduleOf(wanted, now, notes),
  };
}

/** When it is to be published; null for now or never. */
function startOf(
  { createdAt, scheduledAt, published }: SourcePost,
  isWanted: boolean,
  now: number,
): number | null {
  // A draft that the source would have published.
  if (!published) return scheduledAt;
  const start = Math.max(createdAt ?? 0, scheduledAt ?? 0);
  return isWanted && start > now ? start : null;
}

/** Accepts the same times as a save, so that nothing is published unexpectedly. */
function scheduleOf(time: number, now: number, notes: string[]): number | null {
  if (findScheduleProblem(time, now) === null) return time;
  const why = time <= now ? 'has passed' : `is more than ${limits.scheduleDays} days ahead`;
  notes.push(`Its time, ${toIso(time)}, ${why}: imported as a draft.`);
  return null;
}

function titleOf({ title }: SourcePost, notes: string[]): string {
  const trimmed = oneLine(title);
  if (trimmed === '') notes.push('It has no title, so "Untitled" is used.');
  if (trimmed.length > limits.title) notes.push(`Its title was cut to ${limits.title} characters.`);
  return cutText(trimmed, limits.title).trim() || 'Untitled';
}

async function slugOfPost(
  { slug }: SourcePost,
  title: string,
  createdAt: number,
  notes: string[],
): Promise<string> {
  if (isSlug(slug)) return slug;
  const valid = await slugForTitle(slug || title, createdAt);
  const shown = cutText(slug, limits.slug);
  if (slug !== '') notes.push(`The slug "${shown}" is not valid, so "${valid}" is used.`);
  return valid;
}

function excerptOfPost({ excerpt }: SourcePost, notes: string[]): string {
  const trimmed = manyLines(excerpt);
  if (trimmed.length <= limits.excerpt) return trimmed;
  notes.push(`Its excerpt was cut to ${limits.excerpt} characters.`);
  return `${cutText(trimmed, limits.excerpt - 1).trim()}…`;
}

async function tagsOf(db: Database, { tags }: SourcePost, notes: string[]): Promise<Tag[]> {
  const names = tagNamesOf(tags.join(','));
  const valid = names.filter((name) => v.is(tagNames, [name])).slice(0, limits.tags);
  const left = names.length - valid.length;
  if (left > 0) {
    notes.push(
      `${count(left, 'tag')} ${left === 1 ? 'is' : 'are'} left out: a post can have at most ${limits.tags}, of up to ${limits.tag} characters.`,
    );
  }
  return toTags(db, valid);
}

function coverOf({ cover }: SourcePost, notes: string[]): string | null {
  const url = coverOrNull(cover);
  if (url === null && cover !== '') notes.push('Its cover is left out: it has no http(s) URL.');
  return url;
}
