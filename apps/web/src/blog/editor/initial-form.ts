import type { RefusedSave, RestoredDraft } from '@app/contract/blog/pages';
import { type Post, writtenExcerpt } from '@app/contract/blog/posts';

export interface EditorTexts {
  post?: Post | null | undefined;
  /** Unsaved text, instead of the post's. */
  restored?: RestoredDraft | null | undefined;
  /** A text that was sent without scripts, instead of all others. */
  refused?: RefusedSave | undefined;
}

/** The form before anything is typed. */
export const initialForm = ({ post: given, restored, refused }: EditorTexts) => {
  // A sample becomes a new post.
  const post = given && !given.isSample ? given : undefined;
  const unsaved = (refused ?? restored)?.fields;
  const fields = unsaved ?? given;
  return {
    post,
    // The content may be hidden from spreading (`islandTexts`).
    fields: fields && {
      ...fields,
      content: fields.content,
      excerpt: writtenExcerpt(fields),
    },
    /** Undefined for that of the post. */
    scheduledAt: restored?.fields.scheduledAt,
    published: unsaved?.published ?? post?.published ?? false,
    action: refused?.action ?? (post ? `/api/posts/${post.id}` : '/api/posts'),
    /** That the save deletes. */
    draft: refused ? refused.draft : restored,
    issues: refused?.problem.issues ?? [],
  };
};
