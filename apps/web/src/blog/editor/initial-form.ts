import type { RestoredDraft } from '@app/contract/blog/pages';
import { type Post, writtenExcerpt } from '@app/contract/blog/posts';

export interface EditorTexts {
  post?: Post | null | undefined;
  /** Unsaved text of a new post. */
  restored?: RestoredDraft | null | undefined;
}

export const initialForm = ({ post: given, restored }: EditorTexts) => {
  // Saving a sample creates a new post.
  const post = given && !given.isSample ? given : undefined;
  const unsaved = restored?.fields;
  const fields = unsaved ?? given;
  // The copy of a sample is a draft, although samples are published.
  const published = unsaved?.published ?? post?.published ?? false;
  return {
    post,
    // Copied explicitly, because `islandTexts` makes the content non-enumerable.
    fields: fields && {
      ...fields,
      content: fields.content,
      excerpt: writtenExcerpt(fields),
      published,
    },
    /** Undefined if it equals that of the post. */
    scheduledAt: restored?.fields.scheduledAt,
    published,
  };
};
