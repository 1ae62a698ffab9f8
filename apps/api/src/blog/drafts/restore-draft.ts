import { textOfParts } from '@app/contract/blog/content-parts';
import type { Draft } from '@app/contract/blog/draft-replies';
import type { DraftFields } from '@app/contract/blog/drafts';
import type { RestoredDraft } from '@app/contract/blog/pages';
import type { Post } from '@app/contract/blog/posts';
import { tagNamesOf, tagsText } from '@app/contract/blog/tags';
import type { EditConflict } from '@app/contract/edit-conflict';
import type { SignedIn } from '../../accounts/sessions/sessions.ts';
import type { Deps } from '../deps.ts';
import { toTags } from '../posts/tags.ts';
import { mergeChange } from '../revisions/merge-change.ts';
import { findRevision, savedByOf } from '../revisions/revisions.ts';

/**
 * Keys are field names, and `content` followed by the index of a conflict. Values are `yours`,
 * `theirs` or `both`.
 */
type Choices = Readonly<Record<string, string>>;

/**
 * What the form contains when a draft is restored: its text, merged with the saved post.
 * @param choices ignored unless `onto` is the current version of the post
 * @returns null if too many merges are waiting
 */
export async function restoreDraft(
  { db, mergeTexts }: Pick<Deps, 'db' | 'mergeTexts'>,
  user: SignedIn,
  post: Post,
  { id, fields, baseVersion, updatedAt }: Draft,
  choices: Choices,
): Promise<RestoredDraft | null> {
  if (baseVersion === post.version) return { id, updatedAt, fields, conflict: null };
  const base = findRevision(db, { postId: post.id, version: baseVersion ?? 0 });
  const tags = await toTags(db, tagNamesOf(fields.tags));
  const change = { ...fields, coverImage: fields.coverImage || null, tags };
  const { userId } = user;
  const result = await mergeChange(base, post, change, { userId, mergeTexts });
  if (!result) return null;
  if ('change' in result) {
    const { scheduledAt } = fields;
    const merged = {
      ...result.change,
      coverImage: result.change.coverImage ?? '',
      tags: tagsText(result.change.tags),
      ...(scheduledAt !== undefined && { scheduledAt }),
    };
    return { id, updatedAt, fields: merged, conflict: null };
  }
  const savedBy = savedByOf(db, { postId: post.id, version: post.version }, user);
  const conflict: EditConflict = { ...result.conflict, ...savedBy, savedAt: post.updatedAt };
  const chosen = Number(choices['onto']) === post.version ? choices : {};
  return {
    id,
    updatedAt,
    fields: resolve(conflict, fields, chosen),
    conflict: isResolved(conflict, chosen) ? null : conflict,
  };
}

const contentName = (index: number): string => `content${index}`;

function resolve(conflict: EditConflict, typed: DraftFields, choices: Choices): DraftFields {
  const fields: DraftFields = { ...typed, ...conflict.merged };
  for (const { field, theirs } of conflict.fields) {
    if (choices[field] === 'theirs') fields[field] = theirs;
  }
  fields.content = textOfParts(conflict.content, ({ theirs, yours }, index) => {
    const choice = choices[contentName(index)];
    if (choice === 'both') return theirs + yours;
    return choice === 'theirs' ? theirs : yours;
  });
  return fields;
}

function isResolved({ fields, content }: EditConflict, choices: Choices): boolean {
  const conflicts = content.filter((part) => !('text' in part));
  const names = [...fields.map(({ field }) => field), ...conflicts.map((_, n) => contentName(n))];
  return names.every((name) => choices[name] !== undefined);
}
