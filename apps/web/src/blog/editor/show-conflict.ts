import type { Post } from '@app/contract/blog/posts';
import type { EditConflict } from '@app/contract/edit-conflict';
import type { DraftSync } from '../../unsaved/draft-sync.ts';
import { navigateTo } from './navigate-to.ts';

/**
 * Stores the text, and leads to the page that shows it beside the text that another author saved.
 * @returns whether the browser has left
 */
export const showConflict = async (
  post: Post,
  { version }: EditConflict,
  sync: DraftSync | null,
): Promise<boolean> => {
  // The other text may be that of a draft which another device has just saved.
  await sync?.releaseIfGone();
  await sync?.flush();
  if (!sync || sync.isUnsent()) return false;
  // The version makes it another page than that of an earlier conflict: browsers do not load a page
  // again for its fragment.
  return navigateTo(`/blog/editor/${post.slug}?draft=restore&onto=${version}#edit-conflict`);
};
